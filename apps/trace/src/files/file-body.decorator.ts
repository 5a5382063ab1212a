import { ApiBody, ApiConsumes } from '@hone/platform';
import { applyDecorators } from '@nestjs/common';

const MULTIPART = {
  type: 'object',
  required: ['project_id', 'file'],
  properties: {
    project_id: { type: 'string', description: 'Project `<entity>/<project>`, for example `acme/summarizer`.' },
    file: { type: 'string', format: 'binary', description: 'The bytes; the name of the file is not kept.' },
    expected_digest: { type: 'string', description: 'Digest that the bytes should have; another one is a 409.' },
  },
};

/** Documents the form of an upload. */
export const FileBody = (): MethodDecorator =>
  applyDecorators(ApiConsumes('multipart/form-data'), ApiBody({ schema: MULTIPART }));
