-- How a judge may be biased: what is computed of its verdicts, and probes that ask it again about changed answers.
CREATE TABLE "bias_reports" (
    "project_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "scorer_id" TEXT COLLATE "C" NOT NULL,
    "scorer_digest" TEXT NOT NULL,
    "criterion" TEXT NOT NULL,
    "is_tag" BOOLEAN NOT NULL,
    "level" DOUBLE PRECISION NOT NULL,
    "figures" JSONB NOT NULL,
    "call_ids" TEXT[] NOT NULL,
    "verdicts" DOUBLE PRECISION[] NOT NULL,
    "created_by" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "bias_reports_pkey" PRIMARY KEY ("project_id","id")
);
CREATE UNIQUE INDEX "bias_reports_id_key" ON "bias_reports"("id");
CREATE INDEX "bias_reports_call_ids_idx" ON "bias_reports" USING GIN ("call_ids");

-- What a judge said of a call goes with the call's content, by whichever way it is erased.
CREATE FUNCTION "hone_forget_probed_calls"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE bias_reports b SET (call_ids, verdicts) = (
    SELECT coalesce(array_agg(k.id ORDER BY k.n), '{}'), coalesce(array_agg(k.verdict ORDER BY k.n), '{}')
    FROM unnest(b.call_ids, b.verdicts) WITH ORDINALITY AS k (id, verdict, n)
    WHERE NOT EXISTS (SELECT FROM gone g WHERE g.project_id = b.project_id AND g.id = k.id))
  WHERE b.project_id IN (SELECT project_id FROM gone) AND b.call_ids && (SELECT array_agg(id::text) FROM gone);
  RETURN NULL;
END $$;
CREATE TRIGGER "call_values_deleted_bias_reports" AFTER DELETE ON "call_values" REFERENCING OLD TABLE AS gone
FOR EACH STATEMENT EXECUTE FUNCTION "hone_forget_probed_calls"();

-- A probe is a scoring whose verdicts are not feedback: they are of answers that no model gave. Each is a trial of its own.
ALTER TABLE "scorings" ADD COLUMN "bias_report_id" UUID, ADD COLUMN "probe" TEXT, ADD COLUMN "trial" INTEGER NOT NULL DEFAULT 0;
CREATE INDEX "scorings_bias_report_id_idx" ON "scorings"("bias_report_id") WHERE "bias_report_id" IS NOT NULL;
ALTER TABLE "verdicts" ADD COLUMN "found" JSONB;
