import fc from 'fast-check';

const JUNK: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e20,
  '',
  'x',
  'a\0b',
  '\ud800',
  'x'.repeat(3_000),
  [],
  [null],
  {},
  { a: 1 },
];

interface Damage {
  /** Picks one of the positions in a value. */
  at: number;
  kind: 'replace' | 'remove' | 'add';
  junk: unknown;
}

const DAMAGE: fc.Arbitrary<Damage> = fc.record({
  at: fc.nat(1_000_000),
  kind: fc.constantFrom('replace', 'remove', 'add'),
  junk: fc.constantFrom(...JUNK),
});

/** Values as they were drawn, and in every second case with one thing changed somewhere inside. */
export const perhapsDamaged = (values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.tuple(values, fc.option(DAMAGE, { freq: 2 })).map(([value, damage]) => (damage ? damaged(value, damage) : value));

function damaged(value: unknown, { at, kind, junk }: Damage): unknown {
  const root = structuredClone({ value });
  const positions = positionsIn(root);
  const [holder, key] = positions[at % positions.length] as Position;
  const target = (holder as Record<string, unknown>)[key];
  if (kind === 'remove' && holder !== root) {
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else delete (holder as Record<string, unknown>)[key];
  } else if (kind === 'add' && typeof target === 'object' && target !== null) {
    if (Array.isArray(target)) target.push(junk);
    else (target as Record<string, unknown>)['unknown_field'] = junk;
  } else {
    (holder as Record<string, unknown>)[key] = junk;
  }
  return root.value;
}

type Position = readonly [holder: object, key: string];

const positionsIn = (holder: object): Position[] =>
  Object.entries(holder).flatMap(([key, inner]): Position[] => [
    [holder, key],
    ...(typeof inner === 'object' && inner !== null ? positionsIn(inner as object) : []),
  ]);
