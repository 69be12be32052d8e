/** Signatures and lengths of a zip archive's records, little-endian. @source PKWARE APPNOTE 6.3.10, section 4.3 */
export const LOCAL_HEADER = { signature: 0x04034b50, length: 30 } as const;
export const DIRECTORY_HEADER = { signature: 0x02014b50, length: 46 } as const;
export const DIRECTORY_END = { signature: 0x06054b50, length: 22 } as const;

/** How an entry's bytes are kept. */
export const METHOD = { stored: 0, deflated: 8 } as const;

/** What a directory says of a file in an archive. */
export interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly isEncrypted: boolean;
  /** Checksum of the unpacked bytes. */
  readonly crc: number;
  readonly packedBytes: number;
  /** Unpacked size as declared, which may be a lie. */
  readonly bytes: number;
  /** Where its local header begins in the archive. */
  readonly offset: number;
}
