-- No call has a longer id, and indexes do not take any. First: the next statement writes the table anew, without these rows.
DELETE FROM "waiting_scores" WHERE length("trace_id") > 128 OR length("span_id") > 128;
-- Scores as they came, with the text of their numbers; waiting ones are found by project, and by what they are about.
ALTER TABLE "waiting_scores" ALTER COLUMN "score" TYPE TEXT USING "score"::text;
DROP INDEX "waiting_scores_checked_at_idx";
CREATE INDEX "waiting_scores_project_id_checked_at_idx" ON "waiting_scores"("project_id", "checked_at");
CREATE INDEX "waiting_scores_project_id_trace_id_idx" ON "waiting_scores"("project_id", "trace_id");
CREATE INDEX "waiting_scores_project_id_span_id_idx" ON "waiting_scores"("project_id", "span_id");
