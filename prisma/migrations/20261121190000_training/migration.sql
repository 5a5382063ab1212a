-- CreateTable
CREATE TABLE "trainable_models" (
    "project_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "base_model" TEXT NOT NULL,
    "run_id" UUID NOT NULL,
    "last_step" INTEGER NOT NULL DEFAULT 0,
    "created_by" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "trainable_models_pkey" PRIMARY KEY ("project_id","id")
);

-- CreateTable
CREATE TABLE "training_runs" (
    "project_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "model_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "training_runs_pkey" PRIMARY KEY ("project_id","id")
);

-- CreateTable
CREATE TABLE "checkpoints" (
    "project_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "model_id" UUID NOT NULL,
    "step" INTEGER NOT NULL,
    "job_id" UUID NOT NULL,
    "parent_id" UUID,
    "parent_step" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "uri" TEXT NOT NULL,
    "bytes" BIGINT NOT NULL,
    "manifest_sha256" TEXT NOT NULL,
    "metrics" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),
    "bytes_gone_at" TIMESTAMPTZ(3),

    CONSTRAINT "checkpoints_pkey" PRIMARY KEY ("project_id","id")
);

-- CreateTable
CREATE TABLE "checkpoint_pins" (
    "project_id" UUID NOT NULL,
    "checkpoint_id" UUID NOT NULL,
    "holder" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "checkpoint_pins_pkey" PRIMARY KEY ("project_id","checkpoint_id","holder")
);

-- CreateTable
CREATE TABLE "training_jobs" (
    "project_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "ordinal" BIGSERIAL NOT NULL,
    "model_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "phase" TEXT,
    "config" JSONB NOT NULL,
    "extra_config" JSONB,
    "training_data_url" TEXT,
    "data_version_id" UUID,
    "input_uri" TEXT,
    "input_bytes" BIGINT,
    "input_sha256" TEXT,
    "plan_uri" TEXT,
    "plan_sha256" TEXT,
    "num_sequences" INTEGER,
    "learning_rate_scale" DOUBLE PRECISION,
    "steps_done" INTEGER NOT NULL DEFAULT 0,
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "lease_owner" TEXT,
    "lease_expires_at" TIMESTAMPTZ(3),
    "available_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "queue_deadline_at" TIMESTAMPTZ(3) NOT NULL,
    "run_deadline_at" TIMESTAMPTZ(3),
    "last_step_at" TIMESTAMPTZ(3),
    "cancel_requested_at" TIMESTAMPTZ(3),
    "cancel_requested_by" UUID,
    "resume_uri" TEXT,
    "resume_sha256" TEXT,
    "resume_step" INTEGER,
    "parent_id" UUID,
    "parent_step" INTEGER,
    "reference_id" UUID,
    "produced_id" UUID,
    "produced_step" INTEGER,
    "next_event_seq" INTEGER NOT NULL DEFAULT 0,
    "tokens" JSONB NOT NULL DEFAULT '{}',
    "data" JSONB NOT NULL DEFAULT '{}',
    "metrics" JSONB NOT NULL DEFAULT '{}',
    "error" JSONB,
    "created_by" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "queued_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "running_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "training_jobs_pkey" PRIMARY KEY ("project_id","id")
);

-- CreateTable
CREATE TABLE "training_job_events" (
    "project_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "job_id" UUID NOT NULL,
    "seq" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "gradient_index" INTEGER,
    "data" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "training_job_events_pkey" PRIMARY KEY ("project_id","id")
);

-- CreateTable
CREATE TABLE "log_batches" (
    "project_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "model_id" UUID NOT NULL,
    "step" INTEGER NOT NULL,
    "split" TEXT NOT NULL,
    "uri" TEXT NOT NULL,
    "bytes" BIGINT NOT NULL,
    "sha256" TEXT NOT NULL,
    "groups" INTEGER NOT NULL,
    "trajectories" INTEGER NOT NULL,
    "created_by" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "log_batches_pkey" PRIMARY KEY ("project_id","id")
);

-- CreateTable
CREATE TABLE "trajectories" (
    "project_id" UUID NOT NULL,
    "batch_id" UUID NOT NULL,
    "group_index" INTEGER NOT NULL,
    "index" INTEGER NOT NULL,
    "model_id" UUID NOT NULL,
    "step" INTEGER NOT NULL,
    "split" TEXT NOT NULL,
    "reward" DOUBLE PRECISION NOT NULL,
    "initial_policy_version" INTEGER,
    "final_policy_version" INTEGER,
    "metrics" JSONB NOT NULL,
    "start_time" TIMESTAMPTZ(3),

    CONSTRAINT "trajectories_pkey" PRIMARY KEY ("project_id","batch_id","group_index","index")
);

-- CreateTable
CREATE TABLE "metric_sums" (
    "project_id" UUID NOT NULL,
    "model_id" UUID NOT NULL,
    "step" INTEGER NOT NULL,
    "split" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "sum" numeric NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "metric_sums_pkey" PRIMARY KEY ("project_id","model_id","step","split","name")
);

-- CreateTable
CREATE TABLE "artifacts" (
    "project_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "model_id" UUID,
    "next_version" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "artifacts_pkey" PRIMARY KEY ("project_id","id")
);

-- CreateTable
CREATE TABLE "artifact_versions" (
    "project_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "artifact_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "uri" TEXT NOT NULL,
    "files" JSONB NOT NULL,
    "digest" TEXT NOT NULL,
    "bytes" BIGINT NOT NULL,
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "created_by" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "artifact_versions_pkey" PRIMARY KEY ("project_id","id")
);

-- CreateTable
CREATE TABLE "workers" (
    "id" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "engines" TEXT[],
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "current_job_id" UUID,

    CONSTRAINT "workers_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "trainable_models_id_key" ON "trainable_models"("id");

-- CreateIndex
CREATE INDEX "trainable_models_project_id_id_idx" ON "trainable_models"("project_id", "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "training_runs_id_key" ON "training_runs"("id");

-- CreateIndex
CREATE UNIQUE INDEX "training_runs_project_id_model_id_key" ON "training_runs"("project_id", "model_id");

-- CreateIndex
CREATE UNIQUE INDEX "checkpoints_id_key" ON "checkpoints"("id");

-- CreateIndex
CREATE INDEX "checkpoints_uri_idx" ON "checkpoints"("uri");

-- CreateIndex
CREATE UNIQUE INDEX "checkpoints_project_id_model_id_step_key" ON "checkpoints"("project_id", "model_id", "step");

-- CreateIndex
CREATE INDEX "checkpoint_pins_holder_idx" ON "checkpoint_pins"("holder");

-- CreateIndex
CREATE UNIQUE INDEX "training_jobs_id_key" ON "training_jobs"("id");

-- CreateIndex
CREATE INDEX "training_jobs_project_id_model_id_id_idx" ON "training_jobs"("project_id", "model_id", "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "training_job_events_project_id_job_id_seq_key" ON "training_job_events"("project_id", "job_id", "seq");

-- CreateIndex
CREATE UNIQUE INDEX "training_job_events_project_id_job_id_gradient_index_key" ON "training_job_events"("project_id", "job_id", "gradient_index");

-- CreateIndex
CREATE INDEX "log_batches_project_id_model_id_step_split_id_idx" ON "log_batches"("project_id", "model_id", "step", "split", "id");

-- CreateIndex
CREATE INDEX "trajectories_project_id_model_id_step_split_batch_id_idx" ON "trajectories"("project_id", "model_id", "step", "split", "batch_id");

-- CreateIndex
CREATE UNIQUE INDEX "artifacts_project_id_name_key" ON "artifacts"("project_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "artifact_versions_id_key" ON "artifact_versions"("id");

-- CreateIndex
CREATE UNIQUE INDEX "artifact_versions_project_id_artifact_id_version_key" ON "artifact_versions"("project_id", "artifact_id", "version");

-- CreateIndex
CREATE INDEX "workers_seen_at_idx" ON "workers"("seen_at");


-- By hand from here: partial indexes.
CREATE UNIQUE INDEX "trainable_models_live_name" ON "trainable_models"("project_id", "name") WHERE "deleted_at" IS NULL;
CREATE INDEX "checkpoints_live" ON "checkpoints"("project_id", "model_id", "step" DESC) WHERE "deleted_at" IS NULL;
CREATE INDEX "checkpoints_trash" ON "checkpoints"("deleted_at") WHERE "deleted_at" IS NOT NULL AND "bytes_gone_at" IS NULL;
CREATE INDEX "training_jobs_queued" ON "training_jobs"("available_at", "ordinal") WHERE "status" = 'queued';
CREATE INDEX "training_jobs_queue_deadlines" ON "training_jobs"("queue_deadline_at") WHERE "status" = 'queued';
CREATE INDEX "training_jobs_leases" ON "training_jobs"("lease_expires_at") WHERE "status" IN ('preparing', 'running', 'cancelling');
CREATE INDEX "training_jobs_open" ON "training_jobs"("project_id", "model_id", "ordinal") WHERE "status" IN ('queued', 'preparing', 'running', 'cancelling');
CREATE UNIQUE INDEX "training_jobs_one_active" ON "training_jobs"("project_id", "model_id") WHERE "status" IN ('preparing', 'running', 'cancelling');
