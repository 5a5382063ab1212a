import { IsOptional } from 'class-validator';

import { IsUuid } from '../names/uuid.js';
import { Constrained } from '../schema/constraint.js';
import { Example } from '../schema/example.js';
import { AcceptsUnknownFields, Nested, RequiredUnless } from '../validation/rule.js';
import { IsJsonObject } from '../validation/rules.js';
import { IsConsistentPreference, PreferenceConfigDto } from './preference-config.dto.js';
import { IsConsistent, RlConfigDto } from './rl-config.dto.js';
import { RolloutOrderDto } from './rollout-order.dto.js';
import { IsConsistentSft, SftConfigDto } from './sft-config.dto.js';
import { IsTrainingDataUrl } from './training-data-url.js';
import { IsTrajectoryGroups, type TrajectoryGroupDto } from './trajectories.dto.js';

const MODEL_ID = '019bc119-0100-7a3e-9d2a-5f0e8a1b2c3d';

const sent = (name: string, type: string) => ({ properties: { [name]: { type } }, required: [name] });
/** Trajectories come with the body, from a file, or are sampled by the job: one of the three. */
const ONE_SOURCE = {
  oneOf: [sent('trajectory_groups', 'array'), sent('training_data_url', 'string'), sent('rollouts', 'object')],
};

/** Body of `POST /v1/preview/training-jobs` and its diagnosis: reinforcement learning. Other fields are ignored. */
@AcceptsUnknownFields()
@Constrained({ schema: ONE_SOURCE })
@Example({
  model_id: MODEL_ID,
  trajectory_groups: [
    {
      trajectories: [
        {
          messages_and_choices: [
            { role: 'user', content: 'repeat: cat' },
            {
              message: { role: 'assistant', content: 'cat' },
              finish_reason: 'stop',
              prompt_token_ids: [2, 117, 9],
              token_ids: [85, 1],
              logprobs: {
                content: [
                  { token: 'cat', logprob: -0.2 },
                  { token: '', logprob: -0.01 },
                ],
              },
            },
          ],
          reward: 1,
        },
      ],
    },
  ],
  experimental_config: { learning_rate: 1e-5 },
})
export class RlJobCreateDto {
  /** Id of the model to train, a UUID. */
  @IsUuid() model_id!: string;
  /**
   * Rollouts with their rewards, at most 4,096 groups and 16,384 trajectories; those of a group are compared with each
   * other. Absent beside `training_data_url` or `rollouts`, else required.
   */
  @RequiredUnless('training_data_url', 'rollouts') @IsTrajectoryGroups() trajectory_groups?: TrajectoryGroupDto[];
  /**
   * JSON Lines of trajectory groups, one a line, in place of `trajectory_groups` and of as many: an artifact, such as
   * `POST /v1/preview/training-data/from-calls` makes, a `data:` URL or a remote URL, as fine-tuning takes them. Absent or
   * null: the groups are in the body, or sampled.
   */
  @IsOptional() @IsTrainingDataUrl() training_data_url?: string | null;
  /**
   * The job samples answers from the model's current checkpoint, grades them, trains, and goes on from there, in place of
   * `trajectory_groups` and `training_data_url`. Absent or null: the rollouts are sent.
   */
  @IsOptional() @Nested(() => RolloutOrderDto) rollouts?: RolloutOrderDto | null;
  /** Settings of the training. Absent or null: the defaults. */
  @IsOptional() @Nested(() => RlConfigDto) @IsConsistent() experimental_config?: RlConfigDto | null;
}

/** Body of `POST /v1/preview/sft-training-jobs` and its diagnosis: supervised fine-tuning. Other fields are ignored. */
@AcceptsUnknownFields()
@Example({
  model_id: MODEL_ID,
  training_data_url: 'hone-artifact:///local/default/sft-1:v0',
  config: { batch_size: 4, n_epochs: 2, learning_rate: 2e-3 },
})
export class SftJobCreateDto {
  /** Id of the model to train, a UUID. */
  @IsUuid() model_id!: string;
  /**
   * JSON Lines of conversations: an artifact `<scheme>-artifact:///<entity>/<project>/<name>:v<N>` (`:latest` or no
   * version: the latest at this moment; `/<file>` behind the version: that file of it), a `data:` URL, or an http or https URL without a password of at most 2,048
   * characters.
   */
  @IsTrainingDataUrl() training_data_url!: string;
  /** Settings of the training. Absent or null: the defaults. */
  @IsOptional() @Nested(() => SftConfigDto) @IsConsistentSft() config?: SftConfigDto | null;
  /** Kept with the job, without effect. Absent or null: none. */
  @IsOptional() @IsJsonObject() experimental_config?: Record<string, unknown> | null;
}

/**
 * Body of `POST /v1/preview/preference-training-jobs` and its diagnosis: learning from preferences. Other fields are
 * ignored.
 */
@AcceptsUnknownFields()
@Example({
  model_id: MODEL_ID,
  training_data_url: 'hone-artifact:///local/default/preferences-1:v0',
  config: { method: 'dpo', n_epochs: 3 },
})
export class PreferenceJobCreateDto {
  /** Id of the model to train, a UUID. */
  @IsUuid() model_id!: string;
  /**
   * JSON Lines from where fine-tuning takes them too. Of pairs: `{"messages", "chosen", "rejected"}`; of liked and
   * disliked answers, for `kto`: `{"messages", "completion", "label"}`. `messages` is what is answered, or `prompt` its
   * text; an answer is a text, a message or a list of messages; `tools` and `weight` (above 0, default 1) may stand beside
   * them. OpenAI's `input`, `preferred_output` and `non_preferred_output` are read as well.
   */
  @IsTrainingDataUrl() training_data_url!: string;
  /** Settings of the training. Absent or null: the defaults. */
  @IsOptional() @Nested(() => PreferenceConfigDto) @IsConsistentPreference() config?: PreferenceConfigDto | null;
  /** Kept with the job, without effect. Absent or null: none. */
  @IsOptional() @IsJsonObject() experimental_config?: Record<string, unknown> | null;
}
