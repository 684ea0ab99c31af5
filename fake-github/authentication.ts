/** Identifies the caller: the app by its signed JWT, an installation by its token, or an anonymous caller. */
import { createPublicKey, randomBytes, verify } from "node:crypto";
import { isObject } from "./json.ts";
import { refusal } from "./refusal.ts";
import type { Installation, Permissions, Repository, Token, User, World } from "./world.ts";

export type Identity =
  | { readonly kind: "anonymous" }
  | { readonly kind: "app" }
  | { readonly kind: "user"; readonly user: User; readonly isThroughApp: boolean }
  | { readonly kind: "installation"; readonly token: Token };

// GitHub's limits: a JWT is valid for at most ten minutes, a token for an hour.
const MAX_JWT_LIFETIME_SECONDS = 600;
const TOKEN_LIFETIME_MS = 60 * 60_000;
// Clocks differ slightly, and GitHub tolerates about this much.
const CLOCK_SKEW_SECONDS = 60;

function decodeSegment(segment: string | undefined): unknown {
  try {
    return JSON.parse(Buffer.from(segment ?? "", "base64url").toString());
  } catch {
    return null;
  }
}

function verifyJwt(world: World, jwt: string): Identity {
  const [head, payload, signature] = jwt.split(".");
  const header = decodeSegment(head);
  const claims = decodeSegment(payload);
  const undecodable = refusal(401, "A JSON web token could not be decoded");
  if (!isObject(header) || header["alg"] !== "RS256" || !isObject(claims)) throw undecodable;
  const key = createPublicKey(world.app.publicKeyPem);
  const isSigned = verify(
    "RSA-SHA256",
    Buffer.from(`${head}.${payload}`),
    key,
    Buffer.from(signature ?? "", "base64url"),
  );
  if (!isSigned) throw undecodable;
  if (String(claims["iss"]) !== String(world.app.id)) throw refusal(404, "Integration not found");
  const nowSeconds = Math.floor(world.clock.now() / 1000);
  const { iat, exp } = claims;
  if (typeof iat !== "number" || iat > nowSeconds + CLOCK_SKEW_SECONDS)
    throw refusal(
      401,
      "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
    );
  if (typeof exp !== "number" || exp <= nowSeconds)
    throw refusal(
      401,
      "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
    );
  if (exp > nowSeconds + MAX_JWT_LIFETIME_SECONDS + CLOCK_SKEW_SECONDS)
    throw refusal(401, "'Expiration time' claim ('exp') is too far in the future");
  return { kind: "app" };
}

/** Throws 401 if the token is unknown, expired or revoked, or its installation is deleted or suspended. */
function identifyToken(world: World, value: string): Identity {
  const user = world.userTokens.get(value);
  if (user !== undefined) return { kind: "user", user, isThroughApp: false };
  const person = world.personTokens.find((each) => each.value === value);
  if (person !== undefined && !person.isRevoked && person.expiresAtMs > world.clock.now())
    return { kind: "user", user: person.user, isThroughApp: true };
  const token = world.tokens.find((each) => each.value === value);
  const isUsable =
    token !== undefined &&
    !token.isRevoked &&
    !token.installation.isDeleted &&
    token.expiresAtMs > world.clock.now();
  if (!isUsable) throw refusal(401, "Bad credentials");
  if (token.installation.suspendedAtMs !== null) throw refusal(403, "This installation has been suspended");
  return { kind: "installation", token };
}

export function identify(world: World, authorization: string | undefined): Identity {
  if (authorization === undefined) return { kind: "anonymous" };
  const [scheme = "", value = ""] = authorization.split(" ");
  if (scheme.toLowerCase() === "basic") {
    const [, password = ""] = Buffer.from(value, "base64").toString().split(":");
    return identifyToken(world, password);
  }
  return value.split(".").length === 3 && !value.startsWith("gh")
    ? verifyJwt(world, value)
    : identifyToken(world, value);
}

/** A person's token. */
export function createUserToken(world: World, user: User): string {
  const value = `ghp_${randomBytes(27).toString("base64url").replaceAll(/[-_]/g, "0")}`;
  world.userTokens.set(value, user);
  return value;
}

export type TokenRequest = {
  readonly permissions: Permissions | null;
  readonly repositoryIds: readonly number[] | null;
};

function repositoriesOf(world: World, installation: Installation): readonly Repository[] {
  return world.repositories.filter((each) => each.installation === installation);
}

/** The repositories that a token can access. */
export function accessibleRepositories(world: World, token: Token): readonly Repository[] {
  return repositoriesOf(world, token.installation).filter(
    ({ id }) => token.repositoryIds === null || token.repositoryIds.includes(id),
  );
}

export function mintToken(world: World, installation: Installation, request: TokenRequest): Token {
  if (installation.suspendedAtMs !== null) throw refusal(403, "This installation has been suspended");
  const granted = installation.permissions;
  const wanted = request.permissions ?? granted;
  const isGranted = Object.entries(wanted).every(
    ([name, level]) => granted[name] === "write" || granted[name] === level,
  );
  if (!isGranted) throw refusal(422, "The permissions requested are not granted to this installation.");
  const known = new Set(repositoriesOf(world, installation).map(({ id }) => id));
  if (request.repositoryIds?.some((id) => !known.has(id)) === true)
    throw refusal(
      422,
      "There is at least one repository that does not exist or is not accessible to the parent installation.",
    );
  const now = world.clock.now();
  const token: Token = {
    id: world.nextId(),
    value: `ghs_${randomBytes(27).toString("base64url").replaceAll(/[-_]/g, "0")}`,
    installation,
    // Every token can read metadata.
    permissions: { metadata: "read", ...wanted },
    repositoryIds: request.repositoryIds,
    mintedAtMs: now,
    expiresAtMs: now + TOKEN_LIFETIME_MS,
    isRevoked: false,
    used: 0,
  };
  world.tokens.push(token);
  return token;
}
