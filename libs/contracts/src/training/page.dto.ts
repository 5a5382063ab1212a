import { IsFlag, IsText, IsWord } from '../validation/rules.js';

/** What every page of a list has beside its `data`. */
export class PageDto {
  /** Always `list`. */
  @IsWord(['list']) object!: 'list';
  /** Id of the first item; empty when there are no items. */
  @IsText() first_id!: string;
  /** Id of the last item, which `after` takes for the next page; empty when there are no items. */
  @IsText() last_id!: string;
  /** Whether further items follow. */
  @IsFlag() has_more!: boolean;
}
