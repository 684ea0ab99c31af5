import assert from "node:assert/strict";
import { test } from "node:test";
import { isAllowedAddress } from "./public-address.ts";

const PUBLIC = [
  "8.8.8.8",
  "1.1.1.1",
  "172.32.0.1",
  "100.128.0.1",
  "2606:4700::1111",
  "::ffff:8.8.8.8",
  "64:ff9b::808:808",
];

/** Allowed only for hosts that the operator names. */
const PRIVATE = [
  "10.0.0.1",
  "127.0.0.1",
  "127.255.255.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.1.1",
  "100.64.0.1",
  "198.18.0.1",
  "203.0.113.7",
  "240.0.0.1",
  "::1",
  "fd12::1",
  "fc00::1",
  "::ffff:127.0.0.1",
  "::ffff:7f00:1",
  "0:0:0:0:0:ffff:a00:1",
  "64:ff9b::7f00:1",
  "64:ff9b::a00:1",
  "2002:7f00:1::",
  "2001::1",
  "2001:db8::1",
];

const NEVER = [
  "0.0.0.0",
  "169.254.169.254",
  "169.254.1.1",
  "168.63.129.16",
  "100.100.100.200",
  "224.0.0.1",
  "255.255.255.255",
  "::",
  "::ffff:0:0",
  "::ffff:169.254.169.254",
  "64:ff9b::a9fe:a9fe",
  "64:ff9b::",
  "fe80::1",
  "fe80::1%eth0",
  "::1%lo",
  "ff02::1",
  "fec0::1",
  "fd00:ec2::254",
  "64:ff9b:1::1",
  "5f00::1",
  "::7f00:1",
  "localhost",
  "2130706433",
  "",
];

test("[P8] only public addresses are allowed, and private ones for hosts that may have them", () => {
  for (const [addresses, expected] of [
    [PUBLIC, [true, true]],
    [PRIVATE, [false, true]],
    [NEVER, [false, false]],
  ] as const) {
    for (const address of addresses)
      assert.deepEqual(
        [isAllowedAddress(address, false), isAllowedAddress(address, true)],
        expected,
        address,
      );
  }
});
