import { type FormPart, isFile } from '@hone/platform';

import type { RequestForm } from '../../../shared/media-request.js';

const BREAK = '\r\n';

export const formType = ({ boundary }: RequestForm): string => `multipart/form-data; boundary=${boundary}`;

/** The caller's form for an upstream, which knows the model by another name. */
export function formBody({ parts, boundary }: RequestForm, model: string): Buffer {
  const chunks = parts.flatMap((part) => [
    Buffer.from(`--${boundary}${BREAK}${headOf(part)}${BREAK}${BREAK}`),
    isFile(part) ? part.bytes : Buffer.from(part.name === 'model' ? model : part.value),
    Buffer.from(BREAK),
  ]);
  return Buffer.concat([...chunks, Buffer.from(`--${boundary}--${BREAK}`)]);
}

function headOf(part: FormPart): string {
  const head = `content-disposition: form-data; name="${escaped(part.name)}"`;
  if (!isFile(part)) return head;
  return `${head}; filename="${escaped(part.filename)}"${BREAK}content-type: ${oneLine(part.contentType)}`;
}

/** As browsers write names of parts, see https://html.spec.whatwg.org/#multipart-form-data. */
const escaped = (name: string): string => name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');

const oneLine = (type: string): string => type.replaceAll(/[\r\n]/g, ' ');
