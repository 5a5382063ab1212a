import { IsOptional } from 'class-validator';

import { Example } from '../schema/example.js';
import { AcceptsUnknownFields, Nested, NestedList } from '../validation/rule.js';
import { IsInteger, IsJsonValue, IsText, IsWord } from '../validation/rules.js';
import { IsAnyText } from './chat-rules.js';
import { IsFallbacks, IsModelNames } from './fallback-models.js';
import { IsTextOrTokens } from './text-or-tokens.js';

/** Body of `POST /v1/embeddings`. A field that is not declared here goes on to upstreams as it is. */
@AcceptsUnknownFields()
@Example({ model: 'text-embedding-3-small', input: ['A first text.', 'A second one.'] })
export class EmbeddingsRequestDto {
  /** A route or alias whose model embeds texts, 1 to 512 characters. */
  @IsAnyText({ min: 1, max: 512 }) model!: string;
  /** What to embed: a text, token ids, or a list of at most 2,048 of either, with 1,000,000 ids in all. None is empty. */
  @IsTextOrTokens({ minText: 1, maxItems: 2_048 }) input!: string | number[] | string[] | number[][];
  /** How the numbers are written: a list, or base64 of 32-bit floats, little-endian. Absent or null: `float`. */
  @IsOptional() @IsWord(['float', 'base64']) encoding_format?: 'float' | 'base64' | null;
  /** How many numbers each embedding has, for models that can shorten theirs. Absent or null: as many as the model has. */
  @IsOptional() @IsInteger({ min: 1, max: 65_536 }) dimensions?: number | null;
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

/** One embedding. */
export class EmbeddingDto {
  /** Always `embedding`. */
  @IsText() object!: string;
  /** Position of its input, from 0. */
  @IsInteger({ min: 0 }) index!: number;
  /** Its numbers: a list, or base64 of 32-bit floats, little-endian. */
  @IsJsonValue({ anyOf: [{ type: 'array', items: { type: 'number' } }, { type: 'string' }] }) embedding!: unknown;
}

/** Tokens that embeddings used. */
export class EmbeddingUsageDto {
  /** Of all inputs. */
  @IsInteger({ min: 0 }) prompt_tokens!: number;
  /** The same. */
  @IsInteger({ min: 0 }) total_tokens!: number;
}

/** Answer of `POST /v1/embeddings`. */
export class EmbeddingListDto {
  /** Always `list`. */
  @IsText() object!: string;
  /** One for each input, in order. */
  @NestedList(() => EmbeddingDto) data!: EmbeddingDto[];
  /** The model that answered. */
  @IsText() model!: string;
  /** Tokens that the request used. */
  @Nested(() => EmbeddingUsageDto) usage!: EmbeddingUsageDto;
}
