import { IsOptional } from 'class-validator';

import { type Issue, issue, tooFewIssue, tooManyIssue } from '../issues/issue.js';
import { Example } from '../schema/example.js';
import { AcceptsUnknownFields, fromRule, Nested, NestedList } from '../validation/rule.js';
import { integerRule, IsInteger, IsJsonValue, IsText, IsWord } from '../validation/rules.js';
import { anyTextRule, IsAnyText, prefixed } from './chat-rules.js';

const MAX_INPUTS = 2_048;
const TEXT = anyTextRule({ min: 1 });
const TOKEN = integerRule({ min: 0 });
const TOKENS = { type: 'array', items: TOKEN.schema, minItems: 1 };

/** A text, token ids, or a list of at most 2,048 of either; none of them empty. */
const IsEmbeddingInput = (): PropertyDecorator =>
  fromRule({
    name: 'isEmbeddingInput',
    issues(value) {
      if (typeof value === 'string') return TEXT.issues(value);
      if (!Array.isArray(value)) return [{ ...issue('string_type'), msg: 'Input should be a string or a list' }];
      if (value.length === 0) return [tooFewIssue(1)];
      if (typeof value[0] === 'number') return listIssues(value, (item) => TOKEN.issues(item));
      if (value.length > MAX_INPUTS) return [tooManyIssue(MAX_INPUTS)];
      return listIssues(value, typeof value[0] === 'string' ? (item) => TEXT.issues(item) : tokenIssues);
    },
    schema: {
      anyOf: [
        TEXT.schema,
        TOKENS,
        { type: 'array', items: TEXT.schema, minItems: 1, maxItems: MAX_INPUTS },
        { type: 'array', items: TOKENS, minItems: 1, maxItems: MAX_INPUTS },
      ],
    },
  });

function tokenIssues(value: unknown): Issue[] {
  if (!Array.isArray(value)) return [issue('list_type')];
  return value.length === 0 ? [tooFewIssue(1)] : listIssues(value, (item) => TOKEN.issues(item));
}

/** The first issue alone: a list may have millions of items. */
function listIssues(list: readonly unknown[], issuesOf: (item: unknown) => Issue[]): Issue[] {
  for (const [at, item] of list.entries()) {
    const issues = issuesOf(item);
    if (issues.length > 0) return prefixed(at, issues);
  }
  return [];
}

/** Body of `POST /v1/embeddings`. A field that is not declared here goes on to upstreams as it is. */
@AcceptsUnknownFields()
@Example({ model: 'text-embedding-3-small', input: ['A first text.', 'A second one.'] })
export class EmbeddingsRequestDto {
  /** A route or alias whose model embeds texts, 1 to 512 characters. */
  @IsAnyText({ min: 1, max: 512 }) model!: string;
  /** What to embed: a text, token ids, or a list of at most 2,048 of either. None is empty. */
  @IsEmbeddingInput() input!: string | number[] | string[] | number[][];
  /** How the numbers are written: a list, or base64 of 32-bit floats, little-endian. Absent or null: `float`. */
  @IsOptional() @IsWord(['float', 'base64']) encoding_format?: 'float' | 'base64' | null;
  /** How many numbers each embedding has, for models that can shorten theirs. Absent or null: as many as the model has. */
  @IsOptional() @IsInteger({ min: 1, max: 65_536 }) dimensions?: number | null;
  /** Name of the end user, at most 512 characters. Absent or null: none. */
  @IsOptional() @IsAnyText({ max: 512 }) user?: string | null;
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
