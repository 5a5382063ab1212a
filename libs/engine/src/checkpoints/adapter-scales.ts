import { isJsonObject } from '@hone/json';

import { type JsonFields, shownValue } from '../model/config/json-fields.js';
import { AdapterDamagedError } from './checkpoint.errors.js';
import { matchesKey } from './module-pattern.js';

/** How one module of an adapter is stored. */
export interface ModuleScale {
  readonly rank: number;
  /** Its product B·A is multiplied by this. */
  readonly scale: number;
}

const MAX_SHOWN = 100;

/**
 * Rank and scale of each module of an adapter in PEFT's layout: `r` and `lora_alpha`, or what the first key of
 * `rank_pattern` and `alpha_pattern` that matches the module says. The scale is alpha / rank, with `use_rslora` alpha /
 * sqrt(rank). Source: Kalajdzievski, "A Rank Stabilization Scaling Factor for Fine-Tuning with LoRA" (2023).
 */
export class AdapterScales {
  private readonly ranks: [string, number][];
  private readonly alphas: [string, number][];
  private readonly isStabilised: boolean;

  /** @throws AdapterDamagedError a pattern is no object of numbers > 0 */
  constructor(
    private readonly file: string,
    fields: JsonFields,
    private readonly rank: number,
    private readonly alpha: number,
  ) {
    this.ranks = patternOf(fields, 'rank_pattern', Number.isInteger);
    this.alphas = patternOf(fields, 'alpha_pattern', Number.isFinite);
    this.isStabilised = fields.get('use_rslora') === true;
  }

  /** Whether every module is as `r` and `lora_alpha` say. */
  get isPlain(): boolean {
    return !this.isStabilised && this.ranks.length === 0 && this.alphas.length === 0;
  }

  /** Scale of a module that no pattern names. */
  get scale(): number {
    return this.scaleOf(this.rank, this.alpha);
  }

  /** @param module for example `model.layers.0.self_attn.q_proj`. @throws AdapterUnsupportedError a bad pattern */
  of(module: string): ModuleScale {
    const rank = this.find('rank_pattern', this.ranks, module) ?? this.rank;
    const alpha = this.find('alpha_pattern', this.alphas, module) ?? this.alpha;
    return { rank, scale: this.scaleOf(rank, alpha) };
  }

  private scaleOf(rank: number, alpha: number): number {
    return alpha / (this.isStabilised ? Math.sqrt(rank) : rank);
  }

  private find(field: string, pattern: readonly [string, number][], module: string): number | undefined {
    return pattern.find(([key]) => matchesKey({ file: this.file, field }, key, module))?.[1];
  }
}

function patternOf(fields: JsonFields, name: string, fits: (value: unknown) => boolean): [string, number][] {
  const pattern = fields.get(name) ?? {};
  if (!isJsonObject(pattern)) throw notNumbers(fields, name, pattern);
  return Object.entries(pattern).map(([key, value]) => {
    if (!fits(value) || !(Number(value) > 0)) throw notNumbers(fields, name, pattern);
    return [key, Number(value)];
  });
}

const notNumbers = (fields: JsonFields, name: string, value: unknown): AdapterDamagedError =>
  new AdapterDamagedError(
    fields.file,
    `${name} is ${shownValue(value, MAX_SHOWN)}, expected numbers > 0 by the names of modules`,
  );
