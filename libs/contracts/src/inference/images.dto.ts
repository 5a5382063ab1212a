import { IsOptional } from 'class-validator';

import { Example } from '../schema/example.js';
import { AcceptsUnknownFields, MayOmit, NestedList } from '../validation/rule.js';
import { IsInteger, IsJsonValue, IsWord } from '../validation/rules.js';
import { IsAnyText } from './chat-rules.js';
import { IsFallbacks, IsModelNames } from './fallback-models.js';
import { type FormFileFacts, IsFormFile, IsFormFiles } from './form-files.js';

/** Body of `POST /v1/images/generations`. A field that is not declared here goes on to upstreams as it is. */
@AcceptsUnknownFields()
@Example({ model: 'gpt-image-1', prompt: 'A red square.', size: '1024x1024' })
export class ImagesRequestDto {
  /** A route or alias whose model makes images, 1 to 512 characters. */
  @IsAnyText({ min: 1, max: 512 }) model!: string;
  /** What the images should show, 1 to 1,000,000 characters; models take less. */
  @IsAnyText({ min: 1, max: 1_000_000 }) prompt!: string;
  /** How many images to make, 1 to 128; models take less. Absent or null: 1. */
  @IsOptional() @IsInteger({ min: 1, max: 128 }) n?: number | null;
  /** Width and height in pixels, such as `1024x1024`, or `auto`. Absent or null: as the model likes. */
  @IsOptional() @IsAnyText({ max: 64 }) size?: string | null;
  /** How much work goes into each image, such as `low` or `hd`. Absent or null: as the model likes. */
  @IsOptional() @IsAnyText({ max: 64 }) quality?: string | null;
  /** What the answer has of each image: an address, or base64. Absent or null: as the model likes; some refuse the field. */
  @IsOptional() @IsWord(['url', 'b64_json']) response_format?: 'url' | 'b64_json' | null;
  /** Name of the end user, at most 512 characters. Absent or null: none. */
  @IsOptional() @IsAnyText({ max: 512 }) user?: string | null;
  /**
   * Models to try, at most 9: after `model` or, where that is absent, in its place. The next one is tried only before
   * anything was sent. Absent or null: `model` alone.
   */
  @IsOptional() @IsModelNames() models?: string[] | null;
  /** Models to try after those, at most 8, each a name or `{"model": name}`. Absent or null: none. */
  @IsOptional() @IsFallbacks() fallbacks?: (string | { model: string })[] | null;
}

/** One image. */
export class ImageDto {
  /** Its bytes as base64. Absent: it has an address. */
  @MayOmit() @IsAnyText() b64_json?: string;
  /** Where it can be fetched from, for as long as the upstream keeps it. Absent: its bytes are here. */
  @MayOmit() @IsAnyText() url?: string;
  /** The prompt that the model made of the caller's. Absent: it says none. */
  @MayOmit() @IsAnyText() revised_prompt?: string;
}

/** Answer of `POST /v1/images/generations` and of `POST /v1/images/edits`: that of the upstream, as it came. */
export class ImageListDto {
  /** When they were made, in Unix seconds. */
  @IsInteger({ min: 0 }) created!: number;
  /** At least one. */
  @NestedList(() => ImageDto) data!: ImageDto[];
  /** Tokens that the model counted, as the upstream names them. Absent: it counts none. */
  @MayOmit() @IsJsonValue({ type: 'object' }) usage?: object;
}

/** Body of `POST /v1/images/edits`, a form. A field that is not declared here goes on to upstreams as it is. */
@AcceptsUnknownFields()
export class ImageEditRequestDto {
  /** A route or alias whose model makes images, 1 to 512 characters. */
  @IsAnyText({ min: 1, max: 512 }) model!: string;
  /** The image to change, a file. Absent: they are in `image[]`. */
  @MayOmit() @IsFormFile() image?: FormFileFacts;
  /** Several images, a file each, at most 16. Absent: there is one, in `image`. */
  @MayOmit() @IsFormFiles() 'image[]'?: FormFileFacts[];
  /** An image whose transparent parts may change, a file. Absent: all may. */
  @MayOmit() @IsFormFile() mask?: FormFileFacts;
  /** What to change, 1 to 262,144 characters; models take less. */
  @IsAnyText({ min: 1, max: 262_144 }) prompt!: string;
  /** How many images to make, 1 to 128, in digits. Absent: 1. */
  @MayOmit() @IsAnyText({ max: 8 }) n?: string;
  /** Width and height in pixels, such as `1024x1024`, or `auto`. Absent: as the model likes. */
  @MayOmit() @IsAnyText({ max: 64 }) size?: string;
  /** Name of the end user, at most 512 characters. Absent: none. */
  @MayOmit() @IsAnyText({ max: 512 }) user?: string;
}
