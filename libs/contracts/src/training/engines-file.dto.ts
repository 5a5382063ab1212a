import { IsOptional } from 'class-validator';

import { issue } from '../issues/issue.js';
import { isJsonObject } from '../json/index.js';
import { fromRule, Nested, type Rule } from '../validation/rule.js';
import { IsFlag, IsInteger, IsNumber, IsText, IsTextList, IsWord, listRule } from '../validation/rules.js';
import { IsGradientClip } from './gradient-clip.js';

const NAME = {
  matches: (text: string) => /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/.test(text),
  description: '<name>',
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$',
  examples: ['skyrl-8b'],
};

/** Its fields depend on its kind: the reader checks them. */
const ENGINE: Rule = {
  name: 'isEngine',
  issues: (value) => (isJsonObject(value) ? [] : [issue('dict_type')]),
  schema: { type: 'object' },
};

const IsEngineList = () => fromRule(listRule(ENGINE));

/** An object by the names of models; the reader checks what they hold. */
const IsBaseModels = () => fromRule({ ...ENGINE, name: 'isBaseModels' });

/** The adapters that a server makes. */
export class EngineLoraDto {
  /** Rank of the adapters where a job asks for none. Default 32. */
  @IsOptional() @IsInteger({ min: 1, max: 1_024 }) rank?: number | null;
  /** The server's own alpha, which it does not let anyone choose. Default 32. */
  @IsOptional() @IsNumber({ min: 0.001, max: 1_000_000 }) alpha?: number | null;
  /** Adapters on the projections of attention. Default true. */
  @IsOptional() @IsFlag() train_attn?: boolean | null;
  /** Adapters on the projections of the MLP. Default true. */
  @IsOptional() @IsFlag() train_mlp?: boolean | null;
  /** An adapter on the head, which no engine of Hone serves. Default false. */
  @IsOptional() @IsFlag() train_unembed?: boolean | null;
}

/** A base model at a server. */
export class EngineBaseModelDto {
  /** Its name at the server. Default: the name in jobs. */
  @IsOptional() @IsText({ min: 1, max: 512 }) served_as?: string | null;
  /**
   * Folder of its `config.json` and tokenizer on the machines of Hone; weights are not read. Default: where Hone finds
   * the model by its name.
   */
  @IsOptional() @IsText({ min: 1, max: 4_096 }) path?: string | null;
}

/** What every kind of engine has. */
export class EngineDto {
  /** Name of the engine in records: 1 to 63 of `A-Z a-z 0-9 . _ -`, unique. */
  @IsText({ shape: NAME }) name!: string;
  /** Who trains: this installation, or a server that speaks the Tinker protocol. */
  @IsWord(['embedded', 'tinker']) kind!: 'embedded' | 'tinker';
}

/** A training server that speaks the Tinker protocol. */
export class TinkerEngineDto extends EngineDto {
  /** URL up to and with `/api/v1`; no credentials, no query. */
  @IsText({ min: 1, max: 2_048 }) url!: string;
  /** Environment variable that holds its key, sent as `X-API-Key`; null: it asks for none. */
  @IsOptional() @IsText({ min: 1 }) api_key_env?: string | null;
  /** Name in jobs -> the base model at the server; at least one. */
  @IsBaseModels() base_models!: Record<string, object | null>;
  /** How the server makes one gradient of many sequences. Default `sequence_mean`. */
  @IsOptional() @IsWord(['sequence_mean', 'sum']) reduction?: 'sequence_mean' | 'sum' | null;
  /** Length to which the server shortens gradients by itself; `none`: it does not. Default `none`. */
  @IsOptional() @IsGradientClip() gradient_clip?: 'none' | number | null;
  /** The adapters that it makes; null: the defaults. */
  @IsOptional() @Nested(() => EngineLoraDto) lora?: EngineLoraDto | null;
  /** Most sequences of one request, a power of two. Default 64. */
  @IsOptional() @IsInteger({ min: 1, max: 4_096 }) max_batch?: number | null;
  /** Tokens of the longest sequence that it takes; null: as many as the base model. */
  @IsOptional() @IsInteger({ min: 16, max: 1_048_576 }) max_context?: number | null;
  /** Jobs that one trainer runs on it at once. Default 2. */
  @IsOptional() @IsInteger({ min: 1, max: 64 }) concurrency?: number | null;
  /** Hosts beside its own from which archives of weights may be fetched: `host` or `host:port`. Default: none. */
  @IsOptional() @IsTextList({ min: 1, max: 255 }) archive_hosts?: string[] | null;
}

/** The engines file, apart from the fields of each engine, which depend on its kind. */
export class EnginesFileDto {
  /** In the order in which they are asked whether they have a job's base model. The embedded engine is always among them. */
  @IsEngineList() engines!: object[];
}
