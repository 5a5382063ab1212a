-- CreateTable
CREATE TABLE "usage_records" (
    "day" DATE NOT NULL,
    "uid" UUID NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "rid" TEXT NOT NULL,
    "response_id" TEXT,
    "key_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "model_asked" TEXT NOT NULL,
    "model_answered" TEXT,
    "target" TEXT,
    "checkpoint_id" UUID,
    "is_stream" BOOLEAN NOT NULL,
    "status" TEXT NOT NULL,
    "error_code" TEXT,
    "attempts" JSONB NOT NULL,
    "prompt_tokens" INTEGER NOT NULL,
    "cached_tokens" INTEGER NOT NULL,
    "completion_tokens" INTEGER NOT NULL,
    "reasoning_tokens" INTEGER NOT NULL,
    "source" TEXT,
    "price_prompt" BIGINT NOT NULL,
    "price_cached" BIGINT NOT NULL,
    "price_completion" BIGINT NOT NULL,
    "cost_nano_usd" BIGINT NOT NULL,
    "is_billed" BOOLEAN NOT NULL,
    "ttft_ms" INTEGER,
    "duration_ms" INTEGER NOT NULL,

    CONSTRAINT "usage_records_pkey" PRIMARY KEY ("day","uid")
) PARTITION BY RANGE ("day"); -- by hand: the gateway makes the partitions

-- CreateTable
CREATE TABLE "usage_hours" (
    "project_id" UUID NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "model" TEXT COLLATE "C" NOT NULL,
    "key_id" UUID NOT NULL,
    "requests" BIGINT NOT NULL,
    "errors" BIGINT NOT NULL,
    "aborted" BIGINT NOT NULL,
    "prompt_tokens" BIGINT NOT NULL,
    "cached_tokens" BIGINT NOT NULL,
    "completion_tokens" BIGINT NOT NULL,
    "reasoning_tokens" BIGINT NOT NULL,
    "cost_nano_usd" BIGINT NOT NULL,

    CONSTRAINT "usage_hours_pkey" PRIMARY KEY ("project_id","hour","model","key_id")
) WITH (fillfactor = 70); -- updated in place

-- CreateTable
CREATE TABLE "usage_months" (
    "scope" TEXT NOT NULL,
    "subject_id" UUID NOT NULL,
    "month" DATE NOT NULL,
    "cost_nano_usd" BIGINT NOT NULL,

    CONSTRAINT "usage_months_pkey" PRIMARY KEY ("scope","subject_id","month")
) WITH (fillfactor = 70); -- updated in place

-- CreateTable
CREATE TABLE "usage_limits" (
    "scope" TEXT NOT NULL,
    "subject_id" UUID NOT NULL,
    "requests_per_minute" INTEGER,
    "tokens_per_minute" INTEGER,
    "concurrent_requests" INTEGER,
    "monthly_budget_nano_usd" BIGINT,
    "request_level" DOUBLE PRECISION,
    "token_level" DOUBLE PRECISION,
    "refilled_at" TIMESTAMPTZ(6),
    "slot_leases" JSONB NOT NULL DEFAULT '{}',
    "budget_leases" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "usage_limits_pkey" PRIMARY KEY ("scope","subject_id")
) WITH (fillfactor = 70); -- updated in place
