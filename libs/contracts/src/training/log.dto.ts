import { valueIssue } from '../issues/issue.js';
import { NO_CONTROL_CHARACTERS } from '../patterns/patterns.js';
import { Example } from '../schema/example.js';
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
    schema: { ...LENGTH.schema, pattern: NO_CONTROL_CHARACTERS, examples: ['train', 'val'] },
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
  /**
   * What the trajectories are for, for example `train` or `val`: 1 to 128 characters, none of them a control character.
   * Means are shown as `<split>/<metric>`.
   */
  @IsSplit() split!: string;
  /** Rollouts with their rewards, at most 4,096 groups and 16,384 trajectories. */
  @IsTrajectoryGroups() trajectory_groups!: TrajectoryGroupDto[];
}

/** How much was logged. */
export class LoggedCountsDto {
  /** Groups of the request. */
  @IsInteger({ min: 0 }) trajectory_groups!: number;
  /** Trajectories of all groups. */
  @IsInteger({ min: 0 }) trajectories!: number;
}

/** Answer of `POST /v1/preview/models/{model_id}/log`. */
export class TrajectoryLoggedDto {
  /** How much was logged. */
  @Nested(() => LoggedCountsDto) logged!: LoggedCountsDto;
}

/** A logged trajectory. */
export class LoggedTrajectoryDto {
  /** `<id of the log request>-<group_index>-<index>`. */
  @IsText() id!: string;
  /** What the trajectory is for. */
  @IsText() split!: string;
  /** Step of the latest checkpoint when the trajectory was logged; 0: the base model. */
  @IsInteger({ min: 0 }) step!: number;
  /** Position of its group in the request, from 0. */
  @IsInteger({ min: 0 }) group_index!: number;
  /** Position in its group, from 0. */
  @IsInteger({ min: 0 }) index!: number;
  /** Reward of the trajectory. */
  @IsNumber() reward!: number;
  /** Name -> number; true and false are 1 and 0. */
  @fromRule(mapRule(numberRule())) metrics!: Record<string, number>;
  /** The trajectory as it was sent. */
  @IsJsonValue({ type: 'object' }) trajectory!: unknown;
}

/** A page of trajectories in the order in which they were logged. */
export class LoggedTrajectoryPageDto extends PageDto {
  /** At most `limit` trajectories, in the order in which they were logged. */
  @NestedList(() => LoggedTrajectoryDto) data!: LoggedTrajectoryDto[];
}
