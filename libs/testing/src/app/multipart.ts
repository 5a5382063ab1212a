const BOUNDARY = '----hone-test';

/** One part of a form: a file, or a field. */
export interface Part {
  name: string;
  /** Absent: a field. */
  filename?: string;
  content: string | Buffer;
}

/** A body of multipart/form-data, and the headers that go with it. */
export function multipart(...parts: Part[]): { body: Buffer; options: { headers: Record<string, string> } } {
  const chunks = parts.flatMap(({ name, filename, content }) => [
    Buffer.from(
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"` +
        `${filename === undefined ? '' : `; filename="${filename}"\r\ncontent-type: application/octet-stream`}\r\n\r\n`,
    ),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
  return {
    body: Buffer.concat([...chunks, Buffer.from(`--${BOUNDARY}--\r\n`)]),
    options: { headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` } },
  };
}

/** A file of a form. */
export const aFile = (filename: string, content: string | Buffer = 'x'): Part => ({ name: 'file', filename, content });
