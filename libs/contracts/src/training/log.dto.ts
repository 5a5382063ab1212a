import { Example } from '../schema/example.js';
import { valueIssue } from '../issues/issue.js';
import { AcceptsUnknownFields, fromRule, Nested, NestedList } from '../validation/rule.js';
import { IsInteger, IsJsonValue, IsNumber, IsText, mapRule, numberRule, textRule } from '../validation/rules.js';

import { PageDto } from './page.dto.js';
import { IsTrajectoryGroups, type TrajectoryGroupDto } from './trajectories.dto.js';

const LENGTH = textRule({ min: 1, max: 128 });

/** Label such as `train` or `val`: 1 to 128 characters, none of them a control character. */
const IsSplit = (): PropertyDecorator =>
  fromRule({
    name: 'isSplit',
    issues(value) {
      const issues = LENGTH.issues(value);
      if (issues.length || !/\p{Cc}/u.test(value as string)) return issues;
      return [valueIssue('Input should have no control characters')];
    },
    schema: LENGTH.schema,
  });

/** Body of `POST /v1/preview/models/{model_id}/log`. */
@AcceptsUnknownFields()
@Example({
  split: 'val',
  trajectory_groups: [
    {
      trajectories: [
        { messages_and_choices: [{ role: 'user', content: 'repeat: cat' }], reward: 1, metrics: { ok: true } },
      ],
    },
  ],
})
export class TrajectoryLogDto {
  /** What the trajectories are for; means are told as `<split>/<metric>`. */
  @IsSplit() split!: string;
  @IsTrajectoryGroups() trajectory_groups!: TrajectoryGroupDto[];
}

export class LoggedCountsDto {
  @IsInteger({ min: 0 }) trajectory_groups!: number;
  @IsInteger({ min: 0 }) trajectories!: number;
}

/** Answer of `POST /v1/preview/models/{model_id}/log`. */
export class TrajectoryLoggedDto {
  @Nested(() => LoggedCountsDto) logged!: LoggedCountsDto;
}

/** A logged trajectory. */
export class LoggedTrajectoryDto {
  /** `<id of the call of log>-<group_index>-<index>`. */
  @IsText() id!: string;
  @IsText() split!: string;
  /** Of the latest checkpoint when it was logged; 0: the base. */
  @IsInteger({ min: 0 }) step!: number;
  /** Place of its group in the call. */
  @IsInteger({ min: 0 }) group_index!: number;
  /** Place in its group. */
  @IsInteger({ min: 0 }) index!: number;
  @IsNumber() reward!: number;
  /** Booleans as 0 and 1. */
  @fromRule(mapRule(numberRule())) metrics!: Record<string, number>;
  /** As it was sent. */
  @IsJsonValue({ type: 'object' }) trajectory!: unknown;
}

/** A page of trajectories in the order in which they were logged. */
export class LoggedTrajectoryPageDto extends PageDto {
  @NestedList(() => LoggedTrajectoryDto) data!: LoggedTrajectoryDto[];
}
