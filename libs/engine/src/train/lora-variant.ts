/** How one adapted matrix is computed. */
export interface ModuleScale {
  readonly rank: number;
  /** Its product B·A is multiplied by this. */
  readonly scale: number;
}

/** Options of PEFT by which a module's scale is not `alpha / rank` of the whole adapter. */
export interface LoraVariantOptions {
  /** Scales are alpha / sqrt(rank). Source: Kalajdzievski, "A Rank Stabilization Scaling Factor" (2023). */
  readonly useRslora: boolean;
  /** Ranks of modules, by ends of their names or regular expressions for these; the first that matches counts. */
  readonly rankPattern: Readonly<Record<string, number>>;
  /** Alphas of modules, likewise. */
  readonly alphaPattern: Readonly<Record<string, number>>;
}

/** These options of an adapter of a certain model. */
export interface LoraVariant extends LoraVariantOptions {
  /** What they resolve to, by the path of the adapted matrix. */
  readonly modules: ReadonlyMap<string, ModuleScale>;
}

/** An adapter's rank and scale. */
export interface LoraScaling {
  /** `r`: of modules that no pattern names. */
  readonly rank: number;
  /** `lora_alpha`: of modules that no pattern names. */
  readonly alpha: number;
  /** Absent: every module has this rank, and the scale `alpha / rank`. */
  readonly variant?: LoraVariant;
}

/** Of one of the adapter's own modules. */
export function moduleScaleOf({ rank, alpha, variant }: LoraScaling, path: string): ModuleScale {
  if (!variant) return { rank, scale: alpha / rank };
  const module = variant.modules.get(path);
  if (!module) throw new Error(`The adapter has no module ${path}.`);
  return module;
}

/**
 * Rank at which all modules are stored in memory. What a smaller module lacks is zero in A and in B: such numbers have no
 * effect and no gradient, so that training leaves them at zero.
 */
export const storedRankOf = ({ rank, variant }: LoraScaling): number =>
  variant ? Math.max(...Array.from(variant.modules.values(), (module) => module.rank)) : rank;
