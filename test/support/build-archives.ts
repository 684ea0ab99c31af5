/** Builds archives for tests, also ones that no tool would write: with links, other sizes than announced, and paths that lead elsewhere. */
import { crc32, deflateRawSync, gzipSync } from "node:zlib";
import { packTar } from "modern-tar";

export type ArchiveEntry = {
  readonly name: string;
  readonly text?: string;
  readonly type?: "file" | "symlink" | "link" | "directory" | "character-device" | "fifo";
};

export async function buildTar(entries: readonly ArchiveEntry[]): Promise<Buffer> {
  const packed = await packTar(
    entries.map(({ name, text = "", type = "file" }) => ({
      header: {
        name,
        type,
        size: Buffer.byteLength(text),
        ...(type === "symlink" || type === "link" ? { linkname: "/etc/passwd" } : {}),
      },
      body: text,
    })),
  );
  return Buffer.from(packed);
}

export async function buildTarGz(entries: readonly ArchiveEntry[]): Promise<Buffer> {
  return gzipSync(await buildTar(entries));
}

/** A gem or hex package: a tar file with a packed one in it. */
export async function buildNested(name: string, entries: readonly ArchiveEntry[]): Promise<Buffer> {
  const inner = await buildTarGz(entries);
  const packed = await packTar([
    { header: { name: "metadata", size: 2 }, body: "{}" },
    { header: { name, size: inner.length }, body: inner },
  ]);
  return Buffer.from(packed);
}

export type ZipEntry = {
  readonly name: string;
  readonly body?: Buffer;
  /** The size that the directory announces, if it isn't the real one. */
  readonly announcedBytes?: number;
  /** Mode on Unix. */
  readonly mode?: number;
};

/** `announcedEntries`: the number in the end record, if it isn't the real one. */
export function buildZip(entries: readonly ZipEntry[], announcedEntries = entries.length): Buffer {
  const [locals, directory]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const { name, body = Buffer.alloc(0), announcedBytes = body.length, mode = 0o100_644 } of entries) {
    const packed = deflateRawSync(body);
    const nameBytes = Buffer.from(name);
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(0x800, 2);
    shared.writeUInt16LE(8, 4);
    shared.writeUInt32LE(crc32(body), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(announcedBytes, 18);
    shared.writeUInt16LE(nameBytes.length, 22);
    locals.push(Buffer.from("PK\u0003\u0004"), shared, nameBytes, packed);
    const more = Buffer.alloc(14);
    more.writeUInt32LE(mode * 0x1_00_00, 6);
    more.writeUInt32LE(offset, 10);
    directory.push(Buffer.from("PK\u0001\u0002\u0014\u0003"), shared, more, nameBytes);
    offset += 4 + shared.length + nameBytes.length + packed.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006");
  end.writeUInt16LE(announcedEntries, 8);
  end.writeUInt16LE(announcedEntries, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, list, end]);
}
