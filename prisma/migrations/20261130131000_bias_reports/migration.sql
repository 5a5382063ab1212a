-- How a judge may be biased: what is computed of its verdicts, and probes that ask it again about changed answers.
CREATE TABLE "bias_reports" (
    "project_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "scorer_id" TEXT COLLATE "C" NOT NULL,
    "scorer_digest" TEXT NOT NULL,
    "request" JSONB NOT NULL,
    "call_ids" TEXT[] NOT NULL,
    "created_by" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "bias_reports_pkey" PRIMARY KEY ("project_id","id")
);
CREATE UNIQUE INDEX "bias_reports_id_key" ON "bias_reports"("id");

-- A probe is a scoring whose verdicts are not feedback: they are of answers that no model gave. Each is a trial of its own.
ALTER TABLE "scorings" ADD COLUMN "bias_report_id" UUID, ADD COLUMN "probe" TEXT, ADD COLUMN "trial" INTEGER NOT NULL DEFAULT 0;
CREATE INDEX "scorings_bias_report_id_idx" ON "scorings"("bias_report_id") WHERE "bias_report_id" IS NOT NULL;
ALTER TABLE "verdicts" ADD COLUMN "found" JSONB;
