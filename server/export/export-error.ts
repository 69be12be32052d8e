/** A file by which a folder cannot be exported; said to people. */
export class ExportError extends Error {}
