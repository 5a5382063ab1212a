import type { JsonFields } from '../model/config/json-fields.js';
import { AdapterDamagedError } from './checkpoint.errors.js';
import { endsOf, firstMatches } from './module-pattern.js';

const LAYER = /^model\.layers\.(\d+)\./;
type Field = 'target_modules' | 'exclude_modules' | 'layers_to_transform';

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
   * The field that leaves each of these modules out; those that the configuration names are not among them.
   *
   * @param modules for example `model.layers.0.self_attn.q_proj`
   * @throws AdapterDamagedError, AdapterUnsupportedError a pattern that is none, or takes too long
   */
  fieldsAgainst(modules: readonly string[]): Map<string, Field> {
    const isTarget = this.matching('target_modules', modules, true);
    const isExcluded = this.matching('exclude_modules', modules, false);
    const fields = new Map<string, Field>();
    for (const module of modules) {
      const layer = Number(LAYER.exec(module)?.[1]);
      if (!isTarget(module)) fields.set(module, 'target_modules');
      else if (isExcluded(module)) fields.set(module, 'exclude_modules');
      else if (this.layers !== null && !this.layers.has(layer)) fields.set(module, 'layers_to_transform');
    }
    return fields;
  }

  private matching(field: Field, modules: readonly string[], whenAbsent: boolean): (module: string) => boolean {
    const named = this.fields.get(field) ?? null;
    if (named === null || (field === 'target_modules' && named === 'all-linear')) return () => whenAbsent;
    if (Array.isArray(named)) {
      const ends = new Set(named.map(String));
      return (module) => endsOf(module).some((end) => ends.has(end));
    }
    const { file } = this.fields;
    if (typeof named !== 'string') throw new AdapterDamagedError(file, `${field} is no list and no pattern`);
    const matches = firstMatches({ file, field }, [named], modules);
    const matched = new Set(modules.filter((_, index) => matches[index] === 0));
    return (module) => matched.has(module);
  }
}
