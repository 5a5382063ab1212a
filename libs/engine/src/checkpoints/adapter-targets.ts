import type { JsonFields } from '../model/config/json-fields.js';
import { AdapterDamagedError } from './checkpoint.errors.js';
import { matchesModule } from './module-pattern.js';

const LAYER = /^model\.layers\.(\d+)\./;

/** Which modules of the base an `adapter_config.json` names, by the rules of PEFT's `check_target_module_exists`. */
export class AdapterTargets {
  private constructor(
    private readonly fields: JsonFields,
    /** Null: no field limits them. */
    private readonly layers: ReadonlySet<unknown> | null,
  ) {}

  static of(fields: JsonFields): AdapterTargets {
    const layers = fields.get('layers_to_transform') ?? null;
    return new AdapterTargets(fields, layers === null ? null : new Set(Array.isArray(layers) ? layers : [layers]));
  }

  /** Last parts of the listed modules' names; null: the file has a pattern instead of a list. */
  get listed(): string[] | null {
    const value = this.fields.get('target_modules');
    return Array.isArray(value) ? value.map((module) => String(module).split('.').at(-1)!) : null;
  }

  /**
   * The field that leaves a module out; null: the configuration names it.
   *
   * @param module for example `model.layers.0.self_attn.q_proj`
   * @throws AdapterDamagedError, AdapterUnsupportedError a pattern that is none, or takes too long
   */
  fieldAgainst(module: string): 'target_modules' | 'exclude_modules' | 'layers_to_transform' | null {
    if (!this.matches('target_modules', module, true)) return 'target_modules';
    if (this.matches('exclude_modules', module, false)) return 'exclude_modules';
    const layer = Number(LAYER.exec(module)?.[1]);
    return this.layers === null || this.layers.has(layer) ? null : 'layers_to_transform';
  }

  private matches(field: string, module: string, whenAbsent: boolean): boolean {
    const named = this.fields.get(field) ?? null;
    if (named === null || (field === 'target_modules' && named === 'all-linear')) return whenAbsent;
    if (Array.isArray(named)) return named.some((one) => module === one || module.endsWith(`.${String(one)}`));
    if (typeof named !== 'string')
      throw new AdapterDamagedError(this.fields.file, `${field} is no list and no pattern`);
    return matchesModule({ file: this.fields.file, field }, named, module);
  }
}
