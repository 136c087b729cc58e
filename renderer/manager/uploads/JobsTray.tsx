// Upload progress in a corner of the manager: amount, speed, remaining time, and rejected files with their reason.

import {
  ActionIcon,
  Box,
  Button,
  Flex,
  Group,
  Progress,
  Stack,
  Text,
} from "@mantine/core";
import { IconAlertTriangle, IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useMoment } from "../components/use-moment.ts";
import { formats } from "../../locales/language.ts";
import { t } from "../../locales/messages.ts";
import { clearJobs, tryAgain, useJobs, type Job } from "./upload-jobs.ts";
import { notifyInternalError } from "../components/outcomes/outcome.ts";

/** A shorter upload needs no progress message. */
const longEnoughMs = 300;

export function JobsTray(): ReactNode {
  const jobs = useJobs();
  const open = jobs.filter(
    ({ state }) => state === "waiting" || state === "running",
  );
  const failedJobs = jobs.filter(
    ({ state, isAgain }) =>
      state === "refused" || (isAgain && state !== "done"),
  );
  if (open.length === 0 && failedJobs.length === 0) return null;
  return (
    <section className="jobs-tray" aria-label={t("uploads.title")}>
      {open.length > 0 ? <UnderWay jobs={jobs} open={open} /> : null}
      {failedJobs.length > 0 ? (
        <div>
          <Group wrap="nowrap" justify="space-between" gap={0}>
            <Flex
              role="alert"
              align="center"
              gap={8}
              component="p"
              fw={600}
              c="var(--fault)"
            >
              <IconAlertTriangle size={18} aria-hidden />
              {t("uploads.failedFiles", { count: failedJobs.length })}
            </Flex>
            <ActionIcon
              size={36}
              aria-label={t("manager.close")}
              onClick={clearJobs}
            >
              <IconX size={18} aria-hidden />
            </ActionIcon>
          </Group>
          <p className="quiet">{t("manager.screenContinues")}</p>
          <Flex
            direction="column"
            gap={8}
            component="ul"
            mt={8}
            mx={0}
            mb={0}
            style={{ maxBlockSize: "min(160px, 20vh)", overflowY: "auto" }}
            tabIndex={0}
          >
            {failedJobs.map((job) => (
              <Flex align="center" gap={8} component="li" key={job.id}>
                <Box flex={1} miw={0}>
                  <Text truncate fw={500}>
                    <bdi>{job.name}</bdi>
                  </Text>
                  <p className="quiet" dir="auto">
                    {job.reason}
                  </p>
                </Box>
                <Button
                  variant="default"
                  h={36}
                  aria-label={t("uploads.tryAgainNamed", { name: job.name })}
                  loading={job.state !== "refused"}
                  onClick={() => {
                    tryAgain(job.id).catch(notifyInternalError);
                  }}
                >
                  {t("manager.tryAgain")}
                </Button>
              </Flex>
            ))}
          </Flex>
        </div>
      ) : null}
    </section>
  );
}

function UnderWay({
  jobs,
  open,
}: {
  readonly jobs: readonly Job[];
  readonly open: readonly Job[];
}): ReactNode {
  const moment = useMoment(500);
  const running = open.find(({ state }) => state === "running");
  const isLong =
    running?.startedMs != null && moment - running.startedMs > longEnoughMs;
  const accepted = jobs.filter(({ state }) => state !== "refused");
  const total = sum(accepted.map(({ sizeBytes }) => sizeBytes));
  const received = sum(accepted.map(({ receivedBytes }) => receivedBytes));
  if (!isLong && open.length < 2) return null;
  const left = leftOf(running, total - received, moment);
  return (
    <Stack gap={6} role="status">
      <Text truncate fw={500}>
        {t("uploads.adding", {
          position: accepted.length - open.length + 1,
          count: accepted.length,
        })}{" "}
        <bdi className="quiet">{running?.name}</bdi>
      </Text>
      <Progress.Root size={8}>
        <Progress.Section
          value={total === 0 ? 0 : (received / total) * 100}
          aria-label={t("uploads.progress")}
        />
      </Progress.Root>
      <Text className="figures" c="dimmed" fz={13}>
        {t("uploads.received", {
          received: formats.size(received),
          total: formats.size(total),
        })}
        {left === null
          ? null
          : ` · ${t("uploads.timeLeft", { duration: formats.length(left) })}`}
      </Text>
    </Stack>
  );
}

/** Seconds, estimated from the transfer rate of this file. */
function leftOf(
  running: Job | undefined,
  leftBytes: number,
  moment: number,
): number | null {
  if (running?.startedMs == null || running.receivedBytes === 0) return null;
  const seconds = (moment - running.startedMs) / 1000;
  return seconds < 1 ? null : (leftBytes * seconds) / running.receivedBytes;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
