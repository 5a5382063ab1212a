import { ApiBody, ApiConsumes } from '@hone/platform';
import { applyDecorators } from '@nestjs/common';

import { IMPORT_FORM } from './received-archive.js';

const MULTIPART = {
  type: 'object',
  properties: { file: { type: 'string', format: 'binary', description: 'The archive, under any name.' } },
};

/** Documents what an import may be. */
export const ImportBody = (): MethodDecorator =>
  applyDecorators(
    ApiConsumes('multipart/form-data', ...IMPORT_FORM.rawTypes),
    ApiBody({
      schema: MULTIPART,
      description:
        'One tar archive, packed with gzip, as it is or as the only file part: `adapter_config.json` and ' +
        '`adapter_model.safetensors` as PEFT saves them, in the root or in one folder. Other files are ignored.',
    }),
  );
