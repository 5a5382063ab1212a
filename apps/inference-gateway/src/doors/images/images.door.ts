import { ImageEditRequestDto, ImagesRequestDto } from '@hone/contracts';

import type { Door } from '../../chat/door.js';
import { readForm } from '../media/read-form.js';
import { refuseStream } from '../media/refuse-stream.js';
import { readDoorBody } from '../translation/read-door-body.js';
import { invalid } from '../translation/refusals.js';

const MAX_IMAGES = 128;

/** Images of a prompt. The body goes to the upstream as it came, and so does the answer. */
export const IMAGES_DOOR: Door = {
  idPrefix: 'img-',
  read(body) {
    const fields = readDoorBody(ImagesRequestDto, body);
    refuseStream(fields);
    const { model, user, n } = fields;
    return {
      endpoint: 'images/generations',
      // No token is generated that would be counted before.
      dto: { model, user, messages: [], max_completion_tokens: 0 },
      fields,
      body,
      media: { units: n ?? 1 },
    };
  },
};

/** The same of images that are changed by a prompt: the body is a form. */
export const IMAGE_EDITS_DOOR: Door = {
  idPrefix: 'img-',
  takesForm: true,
  async read(body, _limits, _minPriority, { contentType }) {
    const { fields, ...read } = await readForm(ImageEditRequestDto, body, contentType, ['image', 'image[]', 'mask']);
    if (fields.image === undefined && fields['image[]'] === undefined) throw invalid(['image'], 'A file is required');
    const { model, user, n } = fields;
    const units = Number(n ?? 1);
    if (!Number.isInteger(units) || units < 1 || units > MAX_IMAGES) {
      throw invalid(['n'], `Input should be a whole number from 1 to ${MAX_IMAGES}`);
    }
    return {
      endpoint: 'images/edits',
      dto: { model, user, messages: [], max_completion_tokens: 0 },
      fields,
      body: read.body,
      media: { units, form: read.form },
    };
  },
};
