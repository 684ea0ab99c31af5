/** Broken ciphers and modes used for encryption. Decrypting old data is ignored. */
import { createAncestorTest } from "../syntax/ancestors.ts";
import type { SyntaxNode } from "../../syntax/syntax.ts";
import { type Call, callsIn } from "../syntax/calls.ts";
import type { RuleMatch, TreeRule } from "../rule.ts";

/** OpenSSL's names: a broken cipher, or any cipher in ECB mode. */
const OPENSSL_NAME =
  /^["'`](?:(?:des|des3|des-ede3?|rc4|rc2|bf|blowfish|idea|cast5?)(?:-[\w-]+)?|[\w-]+-ecb)["'`]$/i;
/** Java's names. "AES" alone means ECB; the "ECB" in RSA names has no effect. */
const JAVA_NAME =
  /^"(?:AES|(?:DES|DESede|TripleDES|RC2|RC4|ARCFOUR|Blowfish)(?:\/[\w/]+)?|(?!RSA)\w+\/ECB\/\w+)"$/i;

function isWeak({ name, receiver, args }: Call, language: string): boolean {
  const owner = receiver.replace(/(?<![.:>-])[.:>-]+$/, "");
  const first = args[0]?.text() ?? "";
  switch (language) {
    case "javascript":
    case "typescript":
    case "tsx":
      if (name === "createCipheriv") return OPENSSL_NAME.test(first);
      return name === "createCipher" && owner === "crypto";
    case "python":
      if (name === "new")
        return (
          /^(?:DES3?|ARC4|ARC2|Blowfish)$/.test(owner) ||
          (owner === "AES" && args[1]?.text() === "AES.MODE_ECB")
        );
      if (name === "ECB") return owner === "modes";
      return owner === "algorithms" && /^(?:TripleDES|ARC4|Blowfish|IDEA|CAST5)$/.test(name);
    case "java":
      return name === "getInstance" && owner === "Cipher" && JAVA_NAME.test(first);
    case "go":
      return (
        (owner === "des" && /^New(?:TripleDES)?Cipher$/.test(name)) ||
        (owner === "rc4" && name === "NewCipher")
      );
    case "php":
      return name === "openssl_encrypt" && OPENSSL_NAME.test(args[1]?.text() ?? "");
    case "ruby":
      return name === "new" && /^OpenSSL::Cipher$/.test(owner) && OPENSSL_NAME.test(first);
    case "csharp":
      if (name === "Create") return /^(?:DES|TripleDES|RC2)$/.test(owner);
      return /^(?:DES|TripleDES|RC2)CryptoServiceProvider$/.test(name);
    default:
      return false;
  }
}

const NAMES =
  /^(?:createCipheriv|createCipher|new|ECB|TripleDES|ARC4|Blowfish|IDEA|CAST5|getInstance|NewCipher|NewTripleDESCipher|openssl_encrypt|Create|\w+CryptoServiceProvider)$/;

/** `aes.Mode = CipherMode.ECB`, the only case that isn't a call. */
function* csharpModes(root: SyntaxNode): Iterable<SyntaxNode> {
  for (const node of root.findAll({ rule: { kind: "assignment_expression" } })) {
    if (node.field("right")?.text() === "CipherMode.ECB") yield node;
  }
}

/** Protocols that prescribe the cipher. */
const PROTOCOL_PATH = /ntlm|vnc|kerberos|krb5|smb|rfb|pkcs12/i;

/** True for a function whose name shows that it decrypts or implements such a protocol. */
function forcesCipher(ancestor: SyntaxNode): boolean {
  return /decrypt|legacy|ntlm|vnc|kerberos|rc4|des_|3des|tripledes/i.test(
    ancestor.field("name")?.text() ?? "",
  );
}

export const weakCipher: TreeRule = {
  kind: "tree",
  id: "weak-cipher",
  title: "Weak cipher or cipher mode",
  severity: "major",
  category: "security",
  why: "DES, 3DES, RC2, RC4 and Blowfish can be broken with today's hardware. ECB encrypts equal blocks identically, so patterns in the plaintext stay visible.",
  fix: "Use authenticated encryption with a fresh nonce: AES-GCM or ChaCha20-Poly1305.",
  confidence: 0.9,
  languages: ["javascript", "typescript", "tsx", "python", "java", "go", "php", "ruby", "csharp"],
  trigger:
    /createCipher\b|createCipheriv|\bDES3?\.new|DESCrypto|RC2Crypto|TripleDES|\b(?:DES|RC2)\.Create|ARC[24]\b|Blowfish|ECB\b|-ecb\b|\bdes\.New|\brc4\.New|openssl_encrypt|OpenSSL::Cipher|Cipher\.getInstance/,
  *check(root, file): Iterable<RuleMatch> {
    if (PROTOCOL_PATH.test(file.path)) return;
    const isForced = createAncestorTest(forcesCipher);
    for (const call of callsIn(root, file.language, (name) => NAMES.test(name))) {
      if (isWeak(call, file.language) && !isForced(call.node))
        yield { line: call.node.range().start.line + 1 };
    }
    if (file.language !== "csharp") return;
    for (const node of csharpModes(root)) if (!isForced(node)) yield { line: node.range().start.line + 1 };
  },
};
