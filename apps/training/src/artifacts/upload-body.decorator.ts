import { ApiBody, ApiConsumes } from '@hone/platform';
import { applyDecorators } from '@nestjs/common';

const MULTIPART = {
  type: 'object',
  properties: {
    files: { type: 'array', minItems: 1, maxItems: 16, items: { type: 'string', format: 'binary' } },
    metadata: { type: 'string', description: 'A JSON object, kept with the version.' },
    model_id: { type: 'string', format: 'uuid', description: 'The artifact is deleted with this model.' },
  },
};

/** Documents what an upload may be. */
export const UploadBody = (): MethodDecorator =>
  applyDecorators(
    ApiConsumes(
      'multipart/form-data',
      'application/jsonl',
      'application/x-ndjson',
      'text/plain',
      'application/octet-stream',
    ),
    ApiBody({ schema: MULTIPART, description: 'Files as parts, or one file as it is: that is stored as train.jsonl.' }),
  );
