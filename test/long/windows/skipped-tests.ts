// Why a test is skipped under Node for Windows on Wine: by file, and by title where a file has more than one reason.

export interface SkippedTest {
  /** Prefix of the file's path. */
  readonly file: string;
  readonly title?: RegExp;
  readonly reason: string;
}

const noModes =
  "files have no modes; the access list of the folder is tested by itself";
const noMounts =
  "a full disk is a file system of its own, mounted for the test";
const noDescriptorLimits =
  "a process there has no limit of open files that can be set (prlimit)";
const noRemoval = "Windows does not remove a file that SQLite has open";
const ofLinux = "of Linux alone";
const otherDatabase = "of the other database alone";

export const skippedTests: readonly SkippedTest[] = [
  {
    file: "test/server/platform/files/private-folder.test.ts",
    reason: noModes,
  },
  {
    file: "test/server/content/access/secret-encryption.test.ts",
    title: /V4-305/,
    reason: noModes,
  },
  {
    file: "test/server/player/main.test.ts",
    title: /readable by its owner alone/,
    reason: noModes,
  },
  {
    file: "test/server/player/main.test.ts",
    title: /V2-508/,
    reason: "nothing there lets another process stand still (SIGSTOP)",
  },
  {
    file: "test/electron/kiosk/exit-pin.test.ts",
    title: /data folder its user's alone/,
    reason: noModes,
  },
  {
    file: "test/server/player/https/https.test.ts",
    title: /V2-789/,
    reason: noModes,
  },
  { file: "test/build/packing.test.ts", title: /umask/, reason: noModes },
  {
    file: "test/server/platform/files/writable-folder.test.ts",
    reason: noMounts,
  },
  { file: "test/server/player/sync/disk.test.ts", reason: noMounts },
  { file: "test/server/player/store/locked.test.ts", reason: noMounts },
  {
    file: "test/server/content/main.test.ts",
    title: /V4-319/,
    reason: noMounts,
  },
  {
    file: "test/server/content/main.test.ts",
    title: /V4-339/,
    reason: noModes,
  },
  {
    file: "test/server/content/adopted/adopted.test.ts",
    title: /faults|Vitrine's own player/,
    reason: otherDatabase,
  },
  {
    file: "test/server/content/link/sockets-of-two-instances.test.ts",
    title: /L-60.* an instance is killed/,
    reason: otherDatabase,
  },
  {
    file: "test/server/content/storage-gone.test.ts",
    title: /rejects its preview/,
    reason: noMounts,
  },
  {
    file: "test/server/platform/mdns/dns-services.test.ts",
    title: /V2-767.* port that another program has/,
    reason: "Windows lets several programs bind the same port",
  },
  {
    file: "test/server/platform/media/media-deadline.test.ts",
    title: /processor time of a process/,
    reason: "nothing there tells the processor time of a process (/proc)",
  },
  { file: "test/electron/kiosk/blanking-watch.test.ts", reason: ofLinux },
  {
    file: "test/server/player/store/database-file-watch.test.ts",
    reason: noRemoval,
  },
  { file: "test/server/player/store/full-disk.test.ts", reason: noMounts },
  {
    file: "test/server/player/files/file-verification.test.ts",
    title: /cannot be read at all/,
    reason: "an ordinary user may make no links there",
  },
  {
    file: "test/server/player/files/file-verification.test.ts",
    reason: "nothing there tells how far a process has read a file (/proc)",
  },
  {
    file: "test/server/player/v2/library/assets.test.ts",
    title: /not UTF-8/,
    reason: "names of files are Unicode there",
  },
  {
    file: "test/server/player/sync/offline-bundle.test.ts",
    title: /not UTF-8/,
    reason: "names of files are Unicode there",
  },
  {
    file: "test/server/content/files/object-storage.test.ts",
    title: /V4-301.* restored from its backup/,
    reason: otherDatabase,
  },
  {
    file: "test/server/content/http/if-match.test.ts",
    title: /V3-157.* loses no item/,
    reason: otherDatabase,
  },
  {
    file: "test/server/content/ingest/ingest.test.ts",
    title: /V4-213.* however many instances/,
    reason: otherDatabase,
  },
  {
    file: "test/server/content/ingest/leases.test.ts",
    title: /V4-213.* waits for its worker/,
    reason: otherDatabase,
  },
  {
    file: "test/server/content/health.test.ts",
    title: /V4-320.* (?:tables are locked|has become read-only)/,
    reason: otherDatabase,
  },
  {
    file: "test/server/content/health.test.ts",
    title:
      /V4-320.* (?:writes fail while reads succeed|takes no files while its temporary)/,
    reason: noMounts,
  },
  {
    file: "test/server/content/store/faults.test.ts",
    title: /V4-261.* whose disk is full/,
    reason: noMounts,
  },
  { file: "test/server/content/store/full-disk.test.ts", reason: noMounts },
  {
    file: "test/server/content/store/removed-database.test.ts",
    reason: noRemoval,
  },
  {
    file: "test/server/content/failing-disk.test.ts",
    reason: "the disk fails by a library that Linux preloads (LD_PRELOAD)",
  },
  {
    file: "test/server/platform/log.test.ts",
    title: /full disk/,
    reason: noMounts,
  },
  {
    file: "test/server/platform/process/descriptors.test.ts",
    title: /V2-653.* (?:counts descriptors left|finds none left)/,
    reason: noDescriptorLimits,
  },
  {
    file: "test/electron/web/asset-protocol.test.ts",
    title: /V2-653/,
    reason: noDescriptorLimits,
  },
  {
    file: "test/electron/config.test.ts",
    title: /in the system's folder for user data/,
    reason: ofLinux,
  },
  { file: "test/electron/lifecycle/service-notify.test.ts", reason: ofLinux },
  { file: "test/electron/x11/", reason: ofLinux },
  { file: "test/build/virtual-screen.test.ts", reason: ofLinux },
  { file: "test/build/sandbox.test.ts", reason: ofLinux },
  {
    file: "test/build/supervisor.test.ts",
    reason:
      "by a shell script and signals; the app's own is tested by windows-supervisor.test.ts of test/electron",
  },
  { file: "test/build/provision", reason: ofLinux },
  { file: "test/build/service-unit.test.ts", reason: ofLinux },
  {
    file: "test/server/platform/process/process-stat.test.ts",
    reason: ofLinux,
  },
  {
    file: "test/server/cli/command-line.test.ts",
    title: /completion for bash/,
    reason: ofLinux,
  },
  {
    file: "test/server/content/replica/read-replica.test.ts",
    title: /a read replica/,
    reason: "it starts two PostgreSQL servers of its own, which are Linux's",
  },
  { file: "test/build/service-package.test.ts", reason: ofLinux },
  {
    file: "test/build/windows.test.ts",
    title: /end with 3/,
    reason: "the set-up would fetch the packages anew there",
  },
  {
    file: "test/build/check.test.ts",
    reason: "Wine has no junctions, by which a small tree has its packages",
  },
];

/** Null if no entry names this test. */
export function entryFor(file: string, title: string): SkippedTest | null {
  return (
    skippedTests.find(
      (one) => file.startsWith(one.file) && (one.title?.test(title) ?? true),
    ) ?? null
  );
}
