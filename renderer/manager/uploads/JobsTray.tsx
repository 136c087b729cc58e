// Uploads in a corner of the manager: amount, speed and remaining time, pause and cancel, files that have to be chosen again, and
// rejected files by their reason.

import {
  ActionIcon,
  Button,
  Flex,
  Group,
  Progress,
  Stack,
  Text,
} from "@mantine/core";
import {
  IconAlertTriangle,
  IconPlayerPause,
  IconPlayerPlay,
  IconX,
} from "@tabler/icons-react";
import type { ReactNode } from "react";
import { FileChoice } from "../components/controls/FileChoice.tsx";
import { useMoment } from "../components/use-moment.ts";
import { formats } from "../../locales/language.ts";
import { t } from "../../locales/messages.ts";
import { isBrowser } from "../place/abilities.ts";
import {
  cancelJobs,
  chooseAgain,
  clearJobs,
  setPaused,
  tryAgain,
  useIsPaused,
  useJobs,
  type Job,
} from "./upload-jobs.ts";
import {
  notifyInternalError,
  notifyOnce,
} from "../components/outcomes/outcome.ts";

/** A shorter upload needs no progress message. */
const longEnoughMs = 300;
/** Of more, one list would push everything else off the page. */
const maxNames = 100;

export function JobsTray(): ReactNode {
  const jobs = useJobs();
  const open = jobs.filter(
    ({ state }) => state === "waiting" || state === "running",
  );
  const missing = jobs.filter(({ state }) => state === "missing");
  const failed = jobs.filter(
    ({ state, isAgain }) =>
      state === "refused" || (isAgain && state !== "done"),
  );
  if (open.length + missing.length + failed.length === 0) return null;
  return (
    <Flex
      component="section"
      className="jobs-tray"
      direction="column"
      gap={12}
      maw={960}
      mx={16}
      mb={16}
      py={12}
      px={16}
      bd="1px solid var(--line)"
      bdrs={12}
      bg="var(--panel)"
      aria-label={t("uploads.title")}
    >
      {open.length > 0 ? <UnderWay jobs={jobs} open={open} /> : null}
      {missing.length > 0 ? <Missing jobs={missing} /> : null}
      {failed.length > 0 ? <Failed jobs={failed} /> : null}
    </Flex>
  );
}

function cancel(jobs: readonly Job[]): void {
  cancelJobs(jobs.map(({ id }) => id)).catch(notifyInternalError);
}

function UnderWay({
  jobs,
  open,
}: {
  readonly jobs: readonly Job[];
  readonly open: readonly Job[];
}): ReactNode {
  const moment = useMoment(500);
  const isPaused = useIsPaused();
  const running = open.filter(({ state }) => state === "running");
  const isLong = running.some(
    ({ startedMs }) => startedMs !== null && moment - startedMs > longEnoughMs,
  );
  const accepted = jobs.filter(
    ({ state }) => state !== "refused" && state !== "missing",
  );
  const total = sum(accepted.map(({ sizeBytes }) => sizeBytes));
  const received = sum(accepted.map(({ receivedBytes }) => receivedBytes));
  if (!isLong && open.length < 2 && !isPaused) return null;
  const interrupted = running.find(({ interruption }) => interruption !== null);
  const left =
    isPaused || interrupted ? null : leftOf(running, total - received, moment);
  return (
    <Stack gap={6}>
      <Group gap={8}>
        <Text truncate fw={500} flex="1 1 180px" miw={0} role="status">
          {isPaused
            ? t("uploads.paused")
            : t("uploads.adding", {
                position: accepted.length - open.length + 1,
                count: accepted.length,
              })}{" "}
          <bdi className="quiet">{isPaused ? null : running[0]?.name}</bdi>
        </Text>
        {isBrowser ? (
          <ActionIcon
            size={36}
            variant="subtle"
            color="gray"
            aria-label={isPaused ? t("uploads.resume") : t("uploads.pause")}
            title={isPaused ? t("uploads.resume") : t("uploads.pause")}
            onClick={() => {
              setPaused(!isPaused);
            }}
          >
            {isPaused ? (
              <IconPlayerPlay size={18} aria-hidden />
            ) : (
              <IconPlayerPause size={18} aria-hidden />
            )}
          </ActionIcon>
        ) : null}
        <Button
          size="compact-sm"
          h={36}
          variant="default"
          onClick={() => {
            cancel(open);
          }}
        >
          {t("uploads.cancel", { count: open.length })}
        </Button>
      </Group>
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
      {interrupted && !isPaused ? (
        <p role="status" dir="auto">
          {interrupted.interruption} {t("uploads.continues")}
        </p>
      ) : null}
    </Stack>
  );
}

/** The browser does not have their content any more. */
function Missing({ jobs }: { readonly jobs: readonly Job[] }): ReactNode {
  return (
    <Stack gap={6}>
      <Group gap={8}>
        <Text fw={500} flex="1 1 180px" miw={0} role="status">
          {t("uploads.missing", { count: jobs.length })}
        </Text>
        <FileChoice
          isMultiple
          onFiles={(files) => {
            chooseAgain(files)
              .then((others) => {
                if (others.length > 0)
                  notifyOnce(
                    "other files",
                    t("uploads.otherFiles", { count: others.length }),
                  );
              })
              .catch(notifyInternalError);
          }}
        >
          {(props) => (
            <Button {...props} h={36} size="compact-sm" variant="default">
              {t("uploads.chooseAgain")}
            </Button>
          )}
        </FileChoice>
        <Button
          size="compact-sm"
          h={36}
          variant="default"
          onClick={() => {
            cancel(jobs);
          }}
        >
          {t("uploads.cancel", { count: jobs.length })}
        </Button>
      </Group>
      <p className="quiet">{t("uploads.missingHelp")}</p>
      <Names jobs={jobs} />
    </Stack>
  );
}

function Failed({ jobs }: { readonly jobs: readonly Job[] }): ReactNode {
  const reasons = [...new Set(jobs.map(({ reason }) => reason ?? ""))];
  return (
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
          {t("uploads.failedFiles", { count: jobs.length })}
        </Flex>
        <ActionIcon
          size={36}
          aria-label={t("manager.close")}
          onClick={() => {
            clearJobs().catch(notifyInternalError);
          }}
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
        {reasons.map((reason) => (
          <Refused
            key={reason}
            reason={reason}
            jobs={jobs.filter((job) => (job.reason ?? "") === reason)}
          />
        ))}
      </Flex>
    </div>
  );
}

/** All files that were rejected for the same reason. */
function Refused({
  reason,
  jobs,
}: {
  readonly reason: string;
  readonly jobs: readonly Job[];
}): ReactNode {
  const [first] = jobs;
  const name =
    jobs.length === 1
      ? (first?.name ?? "")
      : t("uploads.files", { count: jobs.length });
  return (
    <Flex align="center" gap={8} wrap="wrap" component="li">
      <Stack flex="1 1 180px" miw={0} gap={0}>
        <Text truncate fw={500}>
          <bdi>{name}</bdi>
        </Text>
        <p className="quiet" dir="auto">
          {reason}
        </p>
        {jobs.length > 1 ? (
          <details>
            <summary>{t("uploads.showNames")}</summary>
            <Names jobs={jobs} />
          </details>
        ) : null}
      </Stack>
      <Button
        variant="default"
        h={36}
        aria-label={t("uploads.tryAgainNamed", { name })}
        loading={jobs.some(({ state }) => state !== "refused")}
        onClick={() => {
          tryAgain(jobs.map(({ id }) => id)).catch(notifyInternalError);
        }}
      >
        {t("manager.tryAgain")}
      </Button>
    </Flex>
  );
}

function Names({ jobs }: { readonly jobs: readonly Job[] }): ReactNode {
  const names = jobs.slice(0, maxNames).map(({ name }) => name);
  return (
    <Text className="scrolls" c="dimmed" mah="min(160px, 20vh)" dir="auto">
      {formats.list(names)}
      {jobs.length > maxNames ? " …" : null}
    </Text>
  );
}

/** Seconds, estimated from the transfer rate of the files under way. */
function leftOf(
  running: readonly Job[],
  leftBytes: number,
  moment: number,
): number | null {
  const rates = running.map(({ startedMs, startedBytes, receivedBytes }) => {
    const seconds = (moment - (startedMs ?? moment)) / 1000;
    return seconds < 1 ? 0 : (receivedBytes - startedBytes) / seconds;
  });
  const rate = sum(rates);
  return rate <= 0 ? null : leftBytes / rate;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
