import { Prisma } from '@hone/database';

/** Remote engines as a worker's configuration names them: name -> base models whose first jobs go there. */
export type RemoteEngines = ReadonlyMap<string, readonly string[]>;

/** Which jobs a worker takes: those of one remote engine, or those that none of them trains. */
export interface EngineChoice {
  /** Null: the embedded engine. */
  readonly engine: string | null;
  readonly remote: RemoteEngines;
}

/**
 * The condition on `m`, a row of `trainable_models`. A model's first step fixes its engine; a model with steps and
 * without an engine is the embedded engine's.
 */
export function isChosen(choice: EngineChoice | undefined): Prisma.Sql {
  if (choice === undefined) return Prisma.sql`true`;
  const of = (names: readonly string[], bases: readonly string[]) => Prisma.sql`
    (m.engine = ANY (${[...names]}) OR (m.engine IS NULL AND m.last_step = 0 AND m.base_model = ANY (${[...bases]})))`;
  const { engine, remote } = choice;
  if (engine !== null) return of([engine], remote.get(engine) ?? []);
  return Prisma.sql`${of([...remote.keys()], [...remote.values()].flat())} IS NOT TRUE`;
}
