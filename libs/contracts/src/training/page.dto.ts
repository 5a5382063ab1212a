import { IsFlag, IsText, IsWord } from '../validation/rules.js';

/** What every page of a list has beside its `data`. */
export class PageDto {
  @IsWord(['list']) object!: 'list';
  /** Empty when there is none, as is the next. */
  @IsText() first_id!: string;
  /** Goes into `after` for the next page. */
  @IsText() last_id!: string;
  @IsFlag() has_more!: boolean;
}
