/** Made of the doc comments by generate-descriptions.mjs. */
export const TRAINING: Record<string, [string, Record<string, string>]> = {
  ArtifactUploadedDto: ["Answer of `POST /v1/preview/artifacts/{entity}/{project}/{name}`: one immutable version.", {
    url: "What `training_data_url` takes: `<scheme>-artifact:///<entity>/<project>/<name>:v<N>`.",
    version: "Version of the artifact: `v0`, `v1` and so on.",
    id: "Id of the version, a UUID.",
    digest: "Hex SHA-256 over the paths and hashes of the files: equal files, equal digest.",
    bytes: "Bytes of all files together.",
    files: "The files, by path.",
  }], ArtifactVersionDto: ["A version of an artifact.", {
    id: "Id of the version, a UUID.",
    name: "Name of the artifact.",
    version: "Version of the artifact: `v0`, `v1` and so on.",
    url: "What `training_data_url` takes: `<scheme>-artifact:///<entity>/<project>/<name>:v<N>`.",
    digest: "Hex SHA-256 over the paths and hashes of the files: equal files, equal digest.",
    bytes: "Bytes of all files together.",
    created_at: "When the version was made, ISO 8601 in UTC.",
  }], ArtifactPageDto: ["A page of artifact versions in the order in which they were made.", {
    data: "At most `limit` versions, in the order in which they were made.",
  }], ArtifactDeletedDto: ["Answer of `DELETE /v1/preview/artifacts/{entity}/{project}/{name}/{version}`.", {
    id: "Id of the deleted version, a UUID.",
    version: "Version of the artifact: `v0`, `v1` and so on.",
  }], CheckpointDto: ["Weights of a model at a step.", {
    id: "Id of the checkpoint, a UUID.",
    step: "Number of the checkpoint, 1 or more: step 0 is the base model, which is no checkpoint.",
    metrics: "Name -> finite number: metrics of the training, and means of what was logged at this step.",
  }], CheckpointPageDto: ["A page of checkpoints by step.", {
    data: "At most `limit` checkpoints, by step.",
  }], CheckpointsDeleteDto: ["Body of `DELETE /v1/preview/models/{model_id}/checkpoints`.", {
    steps: "Steps of the checkpoints to delete, 0 to 10,000 of them.",
  }], CheckpointsDeletedDto: ["Answer of `DELETE /v1/preview/models/{model_id}/checkpoints`.", {
    deleted_count: "Checkpoints that this request deleted.",
    not_found_steps: "Steps without a checkpoint, each once, in the order in which they were first sent.",
  }], StoredFileDto: ["A file of a checkpoint or an artifact.", {
    path: "Path of the file, relative, with `/` between segments.",
    bytes: "Bytes of the file.",
    sha256: "SHA-256 of the file, in hex.",
  }], CheckpointDetailDto: ["Answer of `GET /v1/preview/models/{model_id}/checkpoints/{step}`.", {
    created_at: "When the checkpoint was made, ISO 8601 in UTC.",
    job_id: "Id of the job that made the checkpoint.",
    parent_step: "Step of the checkpoint that it was trained from; 0: the base model.",
    bytes: "Bytes of all files together.",
    pinned: "Whether a gateway or a job reads its bytes now, so that they are kept.",
    files: "The files; each is at `…/files/{path}`.",
  }], DiagnosisIssueDto: ["Something that is wrong with a job, or that its author should know.", {
    loc: "Path into the body, or `[\"line\", <number>]`; empty: at no single path.",
    code: "As the error of a job that fails, or why a trajectory is left out: `no_choice`, `no_logprobs`, `no_tokens`, `too_long`, `zero_advantage`; `stale_policy`, `template_drift`, `data.not_checked`, or a warning of the job, for example `config.unknown_key`.",
    severity: "`error`: the job would fail. `warning`: it would train, and perhaps not what was meant.",
    message: "What is wrong, in a sentence.",
    hint: "What to do about it. Null: nothing to say.",
  }], DiagnosedTrajectoryDto: ["What would come of one trajectory.", {
    group: "Position of its group in `trajectory_groups`, from 0.",
    index: "Position in its group, from 0.",
    trained_tokens: "Tokens that would be trained.",
    advantage: "Advantage over the other trajectories of its group.",
    reason: "Why the trajectory is not trained. Null: it is trained.",
  }], DiagnosisDto: ["What would come of a job. Nothing is stored, nothing is trained.", {
    ok: "Whether there is no issue of severity `error`.",
    groups_submitted: "Groups in the body; 0 for fine-tuning.",
    groups_trainable: "Groups with a trained trajectory; 0 for fine-tuning.",
    num_sequences: "Gradient steps that the job would make.",
    trainable_tokens: "Tokens that would be trained.",
    estimated_seconds: "Seconds at the pace of earlier jobs on the same base model. Null: there are none, or the job would fail.",
    issues: "What is wrong, errors first, at most 100.",
    trajectories: "The trajectories in the order of the body; empty for fine-tuning, or when the job would fail.",
  }], TrainingJobEventDto: ["What happened in a training job: once `training_started`, the `gradient_step`s, and one of the last two.", {
    id: "Id of the event, a UUID.",
    type: "What happened.",
    data: "Depends on the type. `training_started`: num_sequences (gradient_step events to come), num_groups_submitted, num_groups_trainable, num_trajectories, num_trainable_tokens, parent_step. `gradient_step`: finite numbers by name. `training_ended`: step, checkpoint_id, num_gradient_steps. `training_failed`, also of a cancelled job: error_message, code. The first event of a job with warnings also has these as `warnings`, a list.",
    created_at: "When it happened, ISO 8601 in UTC.",
  }], TrainingJobEventPageDto: ["A page of events in the order in which they happened.", {
    data: "At most `limit` events, in the order in which they happened.",
  }], RlJobCreateDto: ["Body of `POST /v1/preview/training-jobs` and its diagnosis: reinforcement learning. Other fields are ignored.", {
    model_id: "Id of the model to train, a UUID.",
    trajectory_groups: "Rollouts with their rewards, at most 4,096 groups and 16,384 trajectories; those of a group are compared with each other.",
    experimental_config: "Settings of the training. Absent or null: the defaults.",
  }], SftJobCreateDto: ["Body of `POST /v1/preview/sft-training-jobs` and its diagnosis: supervised fine-tuning. Other fields are ignored.", {
    model_id: "Id of the model to train, a UUID.",
    training_data_url: "JSON Lines of conversations: an artifact `<scheme>-artifact:///<entity>/<project>/<name>:v<N>` (`:latest` or no version: the latest at this moment), a `data:` URL, or an http or https URL without a password of at most 2,048 characters.",
    config: "Settings of the training. Absent or null: the defaults.",
    experimental_config: "Kept with the job, without effect. Absent or null: none.",
  }], TrajectoryLogDto: ["Body of `POST /v1/preview/models/{model_id}/log`.", {
    split: "What the trajectories are for, for example `train` or `val`: 1 to 128 characters, none of them a control character. Means are shown as `<split>/<metric>`.",
    trajectory_groups: "Rollouts with their rewards, at most 4,096 groups and 16,384 trajectories.",
  }], LoggedCountsDto: ["How much was logged.", {
    trajectory_groups: "Groups of the request.",
    trajectories: "Trajectories of all groups.",
  }], TrajectoryLoggedDto: ["Answer of `POST /v1/preview/models/{model_id}/log`.", {
    logged: "How much was logged.",
  }], LoggedTrajectoryDto: ["A logged trajectory.", {
    id: "`<id of the log request>-<group_index>-<index>`.",
    split: "What the trajectory is for.",
    step: "Step of the latest checkpoint when the trajectory was logged; 0: the base model.",
    group_index: "Position of its group in the request, from 0.",
    index: "Position in its group, from 0.",
    reward: "Reward of the trajectory.",
    metrics: "Name -> number; true and false are 1 and 0.",
    trajectory: "The trajectory as it was sent.",
  }], LoggedTrajectoryPageDto: ["A page of trajectories in the order in which they were logged.", {
    data: "At most `limit` trajectories, in the order in which they were logged.",
  }], TrainableModelCreateDto: ["Body of `POST /v1/preview/models`.", {
    entity: "Team or user that owns the project. Absent or null: the caller's default entity.",
    project: "Name of the project, which is made when it is new: 1 to 128 characters without `/`, `:`, control characters or outer blanks, not `.` or `..`.",
    name: "Name of the model, unique among the live models of the project; the same characters as in `project`.",
    base_model: "Model to train, 1 to 512 characters; only the first job finds out whether an engine has it.",
    return_existing: "Whether a live model of this name is answered as it is, whatever its base. Absent: false, and the name is a 409.",
  }], TrainableModelDto: ["A model that learns.", {
    id: "Id of the model, a UUID.",
    entity: "Team or user that owns the project.",
    project: "Name of the project.",
    name: "Name of the model.",
    base_model: "Model that is trained.",
    run_id: "Id of the run that the model trains under, a UUID.",
  }], TrainableModelItemDto: ["An element of `GET /v1/preview/models`.", {
    created_at: "When the model was made, ISO 8601 in UTC.",
    latest_step: "Step of the latest checkpoint; 0: the base model.",
    inference_name: "Name for chat completions: `<scheme>-artifact:///<entity>/<project>/<name>`.",
  }], TrainableModelDetailDto: ["Answer of `GET /v1/preview/models/{model_id}`.", {
    checkpoint_count: "Checkpoints of the model.",
    bytes: "Bytes of all checkpoints; those that share their bytes count once.",
    base_metrics: "Means of what was logged before the first checkpoint: `<split>/<metric>` -> number.",
    open_jobs: "Training jobs that have not ended.",
  }], TrainableModelPageDto: ["A page of models in the order in which they were made.", {
    data: "At most `limit` models, in the order in which they were made.",
  }], TrainableModelDeletedDto: ["Answer of `DELETE /v1/preview/models/{model_id}`.", {
    model_id: "Id of the deleted model, a UUID.",
    deleted_checkpoints: "Checkpoints that were deleted with the model.",
    deleted_run: "Whether the run of the model was deleted with it.",
  }], PageDto: ["What every page of a list has beside its `data`.", {
    object: "Always `list`.",
    first_id: "Id of the first item; empty when there are no items.",
    last_id: "Id of the last item, which `after` takes for the next page; empty when there are no items.",
    has_more: "Whether further items follow.",
  }], PageQueryDto: ["Which part of a list is asked for.", {
    limit: "Most items of the page, 1 to 100. Absent: 20.",
    after: "Id of the last item of the page before, as `last_id` has it. Absent or empty: from the start.",
  }], CheckpointsQueryDto: ["Query of `GET /v1/preview/models/{model_id}/checkpoints`.", {
    order: "Whether steps rise or fall. Absent: they rise.",
  }], ArtifactsQueryDto: ["Query of `GET /v1/preview/artifacts`.", {
    entity: "Only versions of this entity. Absent: of all that the caller may read.",
    project: "Only versions of projects of this name. Absent: of all.",
    name: "Only versions of artifacts of this name. Absent: of all.",
  }], TrainableModelsQueryDto: ["Query of `GET /v1/preview/models`.", {
    order: "Whether the oldest or the newest model comes first. Absent: the oldest.",
    entity: "Only models of this entity. Absent: of all that the caller may read.",
    project: "Only models of projects of this name. Absent: of all.",
    name: "Only models of this name. Absent: all.",
  }], TrainingJobsQueryDto: ["Query of `GET /v1/preview/training-jobs`.", {
    order: "Whether the oldest or the newest job comes first. Absent: the newest.",
    entity: "Only jobs of models of this entity. Absent: of all that the caller may read.",
    project: "Only jobs of models of projects of this name. Absent: of all.",
    model_id: "Only jobs of this model. Absent or empty: of all.",
    kind: "Only jobs of this kind. Absent: of both.",
    status: "Only jobs in this state. Absent: in any.",
  }], TrainingJobEventsQueryDto: ["Query of `GET /v1/preview/training-jobs/{training_job_id}/events`.", {
    wait: "Seconds that a page may wait for an event after the cursor, 0 to 25. Absent: 0, it does not wait.",
  }], TrajectoriesQueryDto: ["Query of `GET /v1/preview/models/{model_id}/trajectories`.", {
    limit: "Most items of the page, 1 to 100. Absent: 20.",
    after: "Id of the last trajectory of the page before, as `last_id` has it. Absent or empty: from the start.",
    split: "Only trajectories of this split. Absent: of all.",
    step: "Only trajectories that were logged at this step, 0 to 2,147,483,647. Absent: at any.",
  }], RlConfigDto: ["Settings of a reinforcement learning job. Null means absent in every field; other fields are ignored.", {
    learning_rate: "Learning rate of AdamW, 0 or more. Recommended: 2e-3 for bases of up to 10 million parameters, 3e-4 up to 300 million, 1e-4 up to 2 billion, 3e-5 up to 10 billion, 1e-5 above. Absent or null: 5e-6.",
    loss_fn: "Loss function. Absent or null: `cispo`, or what `ppo` says.",
    ppo: "The loss function in the older notation: true is `ppo`, false `cispo`; must agree with `loss_fn`. Absent or null: what `loss_fn` says.",
    epsilon: "Ratios are clipped from 1 - epsilon on; 0 or more. Absent or null: 1 with cispo, 0.2 with ppo.",
    epsilon_high: "Ratios are clipped to 1 + epsilon_high; 0 or more. Absent or null: 4 with cispo, epsilon with ppo.",
    normalize_advantages: "Whether advantages are divided by the standard deviation of their group; `scale_rewards` false turns it off too. Absent or null: true.",
    scale_rewards: "The same as `normalize_advantages`: either of them false turns the division off. Absent or null: true.",
    advantage_balance: "Above 0 plays failures down, below 0 successes; -1 to 1. Absent or null: 0.",
    importance_sampling_level: "Over what ratios are taken. Absent or null: `token`.",
    truncated_importance_sampling: "Highest factor by which a token's loss grows, above 0. Absent or null: off.",
    max_negative_advantage_importance_sampling_weight: "Highest ratio of tokens with a negative advantage, above 0. Absent or null: off.",
    mask_prob_ratio: "Whether tokens whose ratio leaves the clipping range are left out. Absent or null: false.",
    precalculate_logprobs: "Whether ratios are taken against the parent checkpoint's own log-probabilities. Absent or null: false.",
    allow_training_without_logprobs: "Whether choices without log-probabilities are trained too, as if on policy. Absent or null: false.",
    scale_learning_rate_by_reward_std_dev: "Whether the learning rate falls with the standard deviation of logged rewards. Absent or null: false.",
    kimi_k2_tau: "Weight of the pull towards the old policy: the advantage loses `tau * (logprob - old logprob)`; 0 or more. Absent or null: off.",
    kl_penalty_coef: "Weight of the distance from the reference in the advantage, 0 or more. Absent or null: 0.",
    kl_penalty_reference_step: "Step of the checkpoint that is the reference, 0 to 2,147,483,647. Absent or null, as is the lag: the base model.",
    kl_penalty_step_lag: "How many steps before the parent the reference is, 1 to 2,147,483,647; not with `kl_penalty_reference_step`. Absent or null, as is the step: the base model.",
    kl_penalty_source: "Whose log-probabilities are compared with the reference's. Absent or null: `sample`.",
    kl_ref_adapter_path: "Always absent or null: server-side file paths are not accepted.",
    packed_sequence_length: "Tokens of a row, which is one gradient step, 16 to 131,072. Absent or null: from the longest sequence.",
    num_trajectories_learning_rate_multiplier_power: "The learning rate of a row is multiplied by the number of its trajectories to this power, -2 to 2. Absent or null: 0.",
    logprob_calculation_chunk_size: "Accepted, at least 1, without effect on results. Absent or null: as if not sent.",
    plot_tensors: "Accepted, without effect on results. Absent or null: as if not sent.",
  }], MetricLoggingDto: ["Whether the means of the job are also shown with its checkpoint.", {
    enabled: "Whether the means of the job are also shown with its checkpoint. Absent or null: false.",
    target_training_step: "Label of the job in the history of its run, 1 to 2,147,483,647. Absent or null: 1.",
  }], SftConfigDto: ["Settings of a fine-tuning job. Null means absent in every field; other fields are ignored.", {
    batch_size: "Lines of one gradient step, 1 to 4,096. `auto`, absent or null: 2.",
    n_epochs: "How many times the job goes through the training lines, each time in the order of the file, 1 to 100. `auto`, absent or null: 1.",
    learning_rate: "One learning rate for all gradient steps, or a list with one for each (batches x epochs), at most 100,000; 0 or more. A list is a schedule by itself: it goes with neither a warm-up nor an `lr_schedule` that falls. Recommended: 2e-3 for bases of up to 10 million parameters, 1e-3 up to 300 million, 5e-4 up to 2 billion, 2e-4 up to 10 billion, 1e-4 above. Absent or null: 5e-5.",
    assistant_turns: "Which of a conversation's assistant turns are trained. Absent or null: `all`.",
    metric_logging: "Whether the means of the job are also shown with its checkpoint. Absent or null: not.",
  }], HealthDto: ["Answer of `GET /v1/health`.", {
    status: "Always `ok`.",
    version: "Version of the server.",
  }], QueueCheckDto: ["Whether jobs of a queue find a worker.", {
    success: "Whether the check found nothing wrong.",
    duration: "Seconds that the check took.",
    errors: "What is wrong, in short sentences; empty when nothing is.",
  }], GpuQueueCheckDto: ["Whether jobs for GPUs find a worker.", {
    configured: "Whether there is a GPU worker at all; without one the check succeeds.",
  }], SystemCheckDto: ["Answer of `GET /v1/system-check`: 200 when all is well, else 503 with the same body.", {
    api: "Whether the service itself works.",
    database: "Whether the database answers within 2 s.",
    cpu_queue: "Whether a job can be claimed, and a worker on this installation's CPUs reported in the last 15 s.",
    gpu_queue: "Whether a GPU worker reported, where there is one.",
  }], LoraConfigDto: ["The low-rank adapter (LoRA) that a job trains. Null means absent in every field; other fields are ignored.", {
    rank: "Rank of the adapter's matrices, 1 to 256. Absent or null: that of the parent, 8 for a new adapter.",
    alpha: "The adapter's effect is multiplied by alpha / rank; above 0. Absent or null: that of the parent, 16 for a new adapter.",
    target_modules: "The matrices that are adapted in each layer, at least one. Absent or null: those of the parent, or all seven.",
  }], TrainingConfigDto: ["Settings that both kinds of training jobs have.", {
    lr_schedule: "How the learning rate goes on after the warm-up: `constant`, or falling to 0 at the end of the job, `linear` or as half a `cosine` wave. Absent or null: `constant`.",
    warmup_steps: "Gradient steps over which the learning rate rises linearly, 0 to 2,147,483,647: step k of a warm-up of w steps has k / (w + 1) of it. Not with `warmup_ratio`. Absent or null: what `warmup_ratio` says.",
    warmup_ratio: "The warm-up as a share of all gradient steps, rounded up; 0 to 1. Absent or null: no warm-up.",
    weight_decay: "Decoupled weight decay of AdamW, 0 or more: each step takes learning rate x weight_decay of the adapter's weights off. Absent or null: 0.1 for reinforcement learning, 0 for fine-tuning.",
    max_grad_norm: "Largest norm of a gradient, above 0; a larger gradient is scaled down to it. Absent or null: 0.1 for reinforcement learning, 1 for fine-tuning.",
    seed: "Seed of all random choices of the job, 0 to 2,147,483,647: the initial weights of a new adapter and, for reinforcement learning, the order of the rows. Equal jobs with equal seeds give equal bytes. Absent or null: 3407.",
    lora: "The adapter that is trained. A parent's adapter grows to a larger rank and more targets without losing what it has learnt; a smaller rank or fewer targets than the parent's fail the job with `config.lora_mismatch`. Absent or null: as the parent's.",
  }], JobProgressDto: ["How far a job is.", {
    gradient_steps_done: "Gradient steps that were made.",
    gradient_steps_total: "Gradient steps of the whole job. Null: not planned yet.",
    fraction: "Steps done of the total, 0 to 1. Null: not planned yet.",
    phase: "What the worker is doing. Null: no worker has the job.",
  }], JobTokensDto: ["Tokens of a job; 0 until they are known.", {
    input: "Tokens of all rows, context included.",
    trainable: "Tokens of `input` that are trained.",
    processed: "Tokens of the rows that have been trained.",
  }], JobTimingsDto: ["How long a job took, in milliseconds; up to now while it is open.", {
    queued: "Milliseconds before the first worker took the job.",
    preparing: "Milliseconds from there to the first gradient step.",
    running: "Milliseconds from the first gradient step on.",
    total: "Milliseconds since the job was made.",
  }], JobCheckpointDto: ["A checkpoint that a job was trained from, or made.", {
    id: "Id of the checkpoint, a UUID.",
    step: "Step of the checkpoint, 1 or more.",
  }], JobDataDto: ["What came of the data of a job.", {
    groups_submitted: "Groups in the body; 0 for fine-tuning.",
    groups_trainable: "Groups with a trained trajectory; 0 for fine-tuning, and until it is known.",
    trajectories: "Trajectories in the body, for fine-tuning lines; 0 until it is known.",
    trajectories_trained: "Trajectories, or lines, that are trained; 0 until it is known.",
    dropped: "Why trajectories are not trained -> how many: `zero_advantage`, `no_choice`, `no_logprobs`, `no_tokens`, `too_long`.",
  }], JobErrorDto: ["Why a job failed or was cancelled.", {
    code: "`<area>.<reason>`, for example `data.no_trainable_tokens`.",
    message: "What went wrong, in a sentence.",
    hint: "What to do about it. Null: nothing to say.",
    loc: "Path into the body that was sent, for example `[\"trajectory_groups\", 0, \"trajectories\", 1]`. Null: the error is at no single path.",
    locs: "That path and further ones, at most 20.",
    retryable: "Whether the same job, sent again, may succeed.",
  }], JobWarningDto: ["What the author of a job should know: it trains, and perhaps not what was meant.", {
    code: "`config.unknown_key`: a setting that has no effect. `config.learning_rate_low`, `config.learning_rate_high`: a learning rate at most a tenth of, or at least ten times, the recommended one.",
    message: "What is unusual, in a sentence.",
    hint: "What was probably meant, or what to do. Null: nothing to say.",
    loc: "Path into the body that was sent, for example `[\"config\", \"learning_rat\"]`.",
  }], TrainingJobDto: ["A training job, wherever one is answered.", {
    id: "Id of the job, a UUID.",
    object: "Always `training_job`.",
    kind: "`rl`: reinforcement learning; `sft`: supervised fine-tuning.",
    status: "Where the job stands; `cancelled`, `succeeded` and `failed` are final.",
    model_id: "Id of the model, a UUID.",
    entity: "Entity of the model.",
    project: "Name of the project of the model.",
    attempt: "How many times a worker took the job, from 0.",
    queue_position: "Position in the queue; 1: next. Null: not queued.",
    created_at: "When the job was made, ISO 8601 in UTC.",
    started_at: "When a worker first took the job. Null: none has.",
    finished_at: "When the job ended. Null: it has not.",
    cancel_requested_at: "When a cancellation was requested. Null: none was.",
    deadline_at: "When the job fails if it is still queued or running then.",
    progress: "How far the job is.",
    tokens: "Tokens of the job.",
    timings_ms: "How long the job took.",
    parent_checkpoint: "Checkpoint that is trained from. Null: the base model, or not known yet.",
    produced_checkpoint: "Checkpoint that the job made. Null: it has not succeeded yet.",
    config: "The settings in effect, defaults filled in.",
    metrics: "Metric name -> mean over the gradient steps.",
    data: "What came of the data.",
    warnings: "Unknown settings, at most 20, and learning rates far from the recommended one; the first event of the job has them too. The latter are known when the job is planned. Empty: nothing is unusual.",
    error: "Why the job failed or was cancelled. Null: neither.",
  }], TrainingJobPageDto: ["A page of jobs.", {
    data: "At most `limit` jobs, in the order that was asked for.",
  }], HistoryDto: ["One conversation of a rollout.", {
    messages_and_choices: "Messages as they were sent to the model, and Choices as it answered: an item with `message` and `finish_reason` is a Choice, which is trained when it carries log-probabilities. Absent: none.",
    tools: "Functions that the model could call, as the chat completion took them. Absent or null: none.",
  }], TrajectoryDto: ["One rollout and what it was worth. Fields that are not declared here are kept.", {
    additional_histories: "Further conversations of the same rollout, at most 256. Absent: none.",
    reward: "What the rollout was worth. Absent: 0.",
    initial_policy_version: "Step of the checkpoint that answered first, 32-bit. Absent or null: not known.",
    final_policy_version: "Step of the checkpoint that answered last, 32-bit. Absent or null: not known.",
    metrics: "Metric name -> number, or true and false for 1 and 0. Absent: none.",
    metadata: "JSON object, kept unread. Absent: none.",
    logs: "List of any JSON, kept unread. Absent: none.",
    start_time: "When the rollout began, ISO 8601. Absent: when it arrived.",
  }], TrajectoryGroupDto: ["Rollouts that are compared with each other. `{}` is an empty group; fields that are not declared here are kept.", {
    trajectories: "Rollouts of the group. Absent: none.",
    exceptions: "Rollouts that failed, any JSON each; only their number counts. Absent: none.",
    metrics: "Metrics of the group as a whole: name -> number, or true and false for 1 and 0. Absent: none.",
    metadata: "Any JSON, kept unread. Absent: none.",
    logs: "Any JSON, kept unread. Absent: none.",
  }],
};
