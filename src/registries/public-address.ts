/** Whether Kodiai may connect to an address. Only addresses of the public internet are allowed, unless the operator says otherwise. */
import { BlockList, isIP } from "node:net";

type Subnet = readonly [network: string, prefix: number];

/** No registry is at these addresses, wherever it is: they are for metadata services, groups, and "any address". */
const NEVER: readonly Subnet[] = [
  ["0.0.0.0", 8],
  ["169.254.0.0", 16],
  // The metadata services of Azure and Oracle.
  ["168.63.129.16", 32],
  ["192.0.0.192", 32],
  // The metadata service of Alibaba.
  ["100.100.100.200", 32],
  ["224.0.0.0", 4],
  ["255.255.255.255", 32],
];

/** An in-house registry can be at one of these. */
const NOT_PUBLIC: readonly Subnet[] = [
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["240.0.0.0", 4],
];

/** Only 2000::/3 is public. These are the exceptions in it: protocol assignments with Teredo, documentation, 6to4. */
const NOT_PUBLIC_IPV6: readonly Subnet[] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

const never4 = subnets(NEVER, "ipv4");
const notPublic4 = subnets(NOT_PUBLIC, "ipv4");
const global6 = subnets([["2000::", 3]], "ipv6");
const notPublic6 = subnets(NOT_PUBLIC_IPV6, "ipv6");
/** Loopback and unique local addresses, without the metadata service of AWS. */
const private6 = subnets(
  [
    ["::1", 128],
    ["fc00::", 7],
  ],
  "ipv6",
);
const never6 = subnets([["fd00:ec2::254", 128]], "ipv6");

/** Prefixes of IPv6 addresses that lead to the IPv4 address in their last 32 bits: mapped addresses and NAT64. */
const EMBEDDING = subnets(
  [
    ["::ffff:0:0", 96],
    ["64:ff9b::", 96],
  ],
  "ipv6",
);

/** Texts that aren't addresses, including those with a zone, are not allowed. */
export function isAllowedAddress(address: string, mayBePrivate: boolean): boolean {
  const version = isIP(address);
  if (version === 4) return isAllowedIpv4(address, mayBePrivate);
  if (version !== 6 || address.includes("%")) return false;
  if (EMBEDDING.check(address, "ipv6")) return isAllowedIpv4(lastFourBytes(address), mayBePrivate);
  if (never6.check(address, "ipv6")) return false;
  if (mayBePrivate && private6.check(address, "ipv6")) return true;
  return global6.check(address, "ipv6") && (mayBePrivate || !notPublic6.check(address, "ipv6"));
}

function isAllowedIpv4(address: string, mayBePrivate: boolean): boolean {
  return !never4.check(address, "ipv4") && (mayBePrivate || !notPublic4.check(address, "ipv4"));
}

/** The URL parser writes every IPv6 address in one form, with hexadecimal groups. */
function lastFourBytes(address: string): string {
  const [, groups = ""] = /^\[(.*)\]$/.exec(new URL(`http://[${address}]`).hostname) ?? [];
  const [high, low] = groups.endsWith("::") ? [0, 0] : groups.split(":").slice(-2).map(parseGroup);
  return [high, low].flatMap((group = 0) => [group >> 8, group & 0xff]).join(".");
}

const parseGroup = (group: string): number => (group === "" ? 0 : Number.parseInt(group, 16));

function subnets(list: readonly Subnet[], family: "ipv4" | "ipv6"): BlockList {
  const blocked = new BlockList();
  for (const [network, prefix] of list) blocked.addSubnet(network, prefix, family);
  return blocked;
}
