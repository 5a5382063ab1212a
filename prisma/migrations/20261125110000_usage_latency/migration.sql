-- What gateways before this one write is not timed: a mean is over the requests that are.
ALTER TABLE "usage_hours"
  ADD COLUMN "timed" BIGINT NOT NULL DEFAULT 0,
  ADD COLUMN "duration_ms" BIGINT NOT NULL DEFAULT 0;
