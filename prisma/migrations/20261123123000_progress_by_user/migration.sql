-- DropIndex
DROP INDEX "annotation_progress_project_id_queue_id_user_id_state_idx";

-- CreateIndex
-- With the queue first, Postgres may take this index for the progress of one item, as long as it has no statistics of the
-- queue, and reads the whole queue each time.
CREATE INDEX "annotation_progress_project_id_user_id_queue_id_state_idx" ON "annotation_progress"("project_id", "user_id", "queue_id", "state");
