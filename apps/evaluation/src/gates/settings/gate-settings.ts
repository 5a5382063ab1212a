import type { GateCreateDto } from '@hone/contracts';

type Filled<T, K extends keyof T> = T & { [Key in K]-?: NonNullable<T[Key]> };

/** What a gate was asked, with the defaults of all that it computes by. */
export type GateSettings = Filled<
  GateCreateDto,
  'name' | 'scale' | 'label_share' | 'min_gain' | 'alpha' | 'look_every' | 'max_pairs' | 'trials' | 'slice_margin'
>;
