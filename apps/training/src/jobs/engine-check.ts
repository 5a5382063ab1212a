import { type Issue, type LoraConfigDto, valueIssue } from '@hone/contracts';
import { ValidationError } from '@hone/platform';
import { engineFor, type EngineSettings, type TinkerSettings } from '@hone/tinker';
import { Inject, Injectable } from '@nestjs/common';

import { TRAINING_CONFIG, type TrainingConfig } from '../config/training.config.js';
import type { ModelRecord } from '../models/model.record.js';
import { ParentElsewhereError } from './jobs.errors.js';

/** Settings of a job that not every engine can honour; null means absent. */
export interface EngineBoundSettings {
  readonly max_grad_norm?: number | null;
  readonly lora?: Pick<
    LoraConfigDto,
    'alpha' | 'target_modules' | 'use_rslora' | 'rank_pattern' | 'alpha_pattern'
  > | null;
}

const ATTENTION = ['q_proj', 'k_proj', 'v_proj', 'o_proj'];
const MLP = ['gate_proj', 'up_proj', 'down_proj'];

/** Refuses jobs that their engine could not carry out as they ask. */
@Injectable()
export class EngineCheck {
  constructor(@Inject(TRAINING_CONFIG) private readonly config: TrainingConfig) {}

  /**
   * @param field of the body that has the settings
   * @throws ParentElsewhereError, ValidationError
   */
  assertPossible(model: ModelRecord, field: string, settings: EngineBoundSettings | null | undefined): void {
    const engine = this.engineOf(model);
    if (engine.kind === 'embedded') return;
    const issues = issuesOf(engine, settings ?? {}).map((issue) => ({ ...issue, loc: ['body', field, ...issue.loc] }));
    if (issues.length > 0) throw new ValidationError(issues);
  }

  /** @param field of the body. @throws ParentElsewhereError, ValidationError the engine's jobs cannot sample by themselves */
  assertSamples(model: ModelRecord, field: string): void {
    const { kind, name } = this.engineOf(model);
    if (kind === 'embedded') return;
    const sentence = `Jobs of the engine ${name} cannot sample their own rollouts yet; send trajectory_groups`;
    throw new ValidationError([valueIssue(sentence, ['body', field])]);
  }

  private engineOf({ engine, lastStep, baseModel }: ModelRecord): EngineSettings {
    const { engines } = this.config;
    if (engine === null) {
      return lastStep > 0 ? { kind: 'embedded', name: 'embedded' } : engineFor(engines, baseModel);
    }
    const found = engines.find(({ kind, name }) => kind === 'tinker' && name === engine);
    if (found === undefined) throw new ParentElsewhereError(engine);
    return found;
  }
}

function issuesOf(engine: TinkerSettings, { max_grad_norm, lora }: EngineBoundSettings): Issue[] {
  const { name, gradientClip, lora: made } = engine;
  const targets = [...(made.trainAttention ? ATTENTION : []), ...(made.trainMlp ? MLP : [])];
  const asked = lora?.target_modules;
  const hasOthers = asked
    ? asked.length !== targets.length || asked.some((target) => !targets.includes(target))
    : false;
  const clip = gradientClip === 'none' ? 'does not shorten gradients' : `shortens gradients to ${gradientClip}`;
  const isOtherClip = typeof max_grad_norm === 'number' && max_grad_norm !== gradientClip;
  const isOtherAlpha = typeof lora?.alpha === 'number' && lora.alpha !== made.alpha;
  const variants = [
    ...(lora?.use_rslora ? ['use_rslora'] : []),
    ...(['rank_pattern', 'alpha_pattern'] as const).filter((field) => Object.keys(lora?.[field] ?? {}).length > 0),
  ];
  return [
    ...variants.map((field) =>
      valueIssue(`The engine ${name} makes adapters with one rank and the scale alpha / rank`, ['lora', field]),
    ),
    ...(isOtherClip ? [valueIssue(`The engine ${name} ${clip}`, ['max_grad_norm'])] : []),
    ...(isOtherAlpha
      ? [valueIssue(`The engine ${name} makes adapters with alpha ${made.alpha}`, ['lora', 'alpha'])]
      : []),
    ...(hasOthers
      ? [valueIssue(`The engine ${name} makes adapters for ${targets.join(', ')}`, ['lora', 'target_modules'])]
      : []),
  ];
}
