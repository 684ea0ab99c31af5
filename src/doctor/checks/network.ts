/** How the program reaches its hosts: the proxy for each, and the files of own certificate authorities. */
import { X509Certificate } from "node:crypto";
import { type CheckFinding, type DoctorCheck, failure, fine, notChecked, warning } from "../check.ts";

/** A host that the configured program contacts, as "the model's provider". */
export type ContactedHost = { readonly what: string; readonly url: URL };

/** A file of certificates that a variable names. */
export type CertificateFile = {
  readonly name: string;
  readonly path: string;
  /** Null if it can't be read. */
  readonly text: string | null;
};

export type NetworkDeps = {
  readonly hosts: readonly ContactedHost[];
  /** The host of the proxy for an address; null for a direct connection. */
  readonly proxyHostFor: (url: URL) => string | null;
  readonly certificates: readonly CertificateFile[];
  /** Milliseconds since 1970. */
  readonly now: () => number;
};

export function createNetworkCheck(deps: NetworkDeps): DoctorCheck {
  return {
    name: "network",
    run: async () => {
      const found = [
        ...deps.hosts.map((host) => describeHost(host, deps)),
        ...deps.certificates.flatMap((file) => judgeFile(file, deps.now())),
      ];
      return found.length > 0 ? found : [notChecked("Nothing is configured that uses the network.")];
    },
  };
}

function describeHost({ what, url }: ContactedHost, { proxyHostFor }: NetworkDeps): CheckFinding {
  const proxy = proxyHostFor(url);
  return fine(
    `${what} (${url.host}) is contacted ${proxy === null ? "directly" : `through the proxy ${proxy}`}.`,
  );
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

function judgeFile({ name, path, text }: CertificateFile, nowMs: number): readonly CheckFinding[] {
  const certificates = (text?.match(CERTIFICATE) ?? []).map(readCertificate);
  const remedy = `Set ${name} to a file with PEM certificates that this user may read.`;
  if (text === null)
    return [
      failure("certificate-unreadable", { what: `${name} names ${path}, which can't be read.`, remedy }),
    ];
  if (certificates.length === 0 || certificates.includes(null))
    return [
      failure("certificate-unreadable", {
        what: `${name} names ${path}, which doesn't consist of valid certificates.`,
        remedy,
      }),
    ];
  // Bundles of public authorities usually have an expired one among them, which does no harm.
  if (certificates.some((each) => each !== null && each.validToDate.getTime() >= nowMs))
    return [fine(`${name} names a file with valid certificates.`)];
  return [
    warning("certificate-expired", {
      what: `${name} names ${path}, whose certificates have all expired.`,
      remedy: "Get the authority's current certificate.",
    }),
  ];
}

function readCertificate(pem: string): X509Certificate | null {
  try {
    return new X509Certificate(pem);
  } catch {
    return null;
  }
}
