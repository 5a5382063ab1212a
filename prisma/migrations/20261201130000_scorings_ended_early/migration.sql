-- Status with which a scoring ended before it was complete and was then retried: it ends with it again, as the retry judges the calls
-- that failed alone. Null: it was complete, or has not been retried.
ALTER TABLE "scorings" ADD COLUMN "ended_early_as" TEXT;
