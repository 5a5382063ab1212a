import type { Change } from './change.js';

/** What one line, or one part of each bar, shows. */
export interface TimeSeries {
  readonly label: string;
  /** One for each time; null: there is none. */
  readonly values: readonly (number | null)[];
  /** Of the whole time, behind its name. */
  readonly total?: number | null | undefined;
  /** Its colour where it is not one of many: what went wrong, the rest of that, all that a chart leaves out. */
  readonly tone?: 'bad' | 'plain' | 'rest' | undefined;
  /** How the total compares with that of the time before. Absent: there is nothing to compare with. */
  readonly change?: Change;
  /** This total, as it is shown. */
  readonly before?: string;
  /** The page that lists what is counted. Absent: none does. */
  readonly to?: string;
}
