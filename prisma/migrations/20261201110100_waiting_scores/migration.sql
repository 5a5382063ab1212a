-- Scores of other tools that came before the calls that they are about.
CREATE TABLE "waiting_scores" (
    "project_id" UUID NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,
    "trace_id" TEXT,
    "span_id" TEXT,
    "score" JSONB NOT NULL,
    "svc_user_id" UUID NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "checked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "waiting_scores_pkey" PRIMARY KEY ("project_id","id")
);
CREATE INDEX "waiting_scores_received_at_idx" ON "waiting_scores"("received_at");
CREATE INDEX "waiting_scores_checked_at_idx" ON "waiting_scores"("checked_at");
