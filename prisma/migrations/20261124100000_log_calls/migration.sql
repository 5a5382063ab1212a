-- AlterTable
ALTER TABLE "project_settings" ADD COLUMN     "log_calls" TEXT;
