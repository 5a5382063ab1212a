import type { FormPart } from '@hone/platform';

/** What a request for images or audio has beside its fields. */
export interface MediaRequest {
  /** Its body, which is multipart/form-data. Absent: it is JSON. */
  readonly form?: RequestForm;
  /** What its answer is paid by, as far as that is known before: images, characters that are spoken, or milliseconds of audio. */
  readonly units: number;
}

/** A body of parts. */
export interface RequestForm {
  readonly parts: readonly FormPart[];
  /** Stands between the parts: a text that no caller can foresee. */
  readonly boundary: string;
}
