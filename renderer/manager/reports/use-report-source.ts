// The source of a report: this player, or all screens of a content service, those with one of its labels, or one of them.

import { useState } from "react";
import { can } from "../place/abilities.ts";
import { useQuestion } from "../api/manager-queries.ts";
import { sourceName, type ReportSource } from "./service-report.ts";

const servicesPollMs = 5_000;

/** Services are asked about only once one is chosen. */
export function queryOf(source: ReportSource | null) {
  return {
    serviceId: source?.serviceId ?? "none",
    labelId: source?.labelId ?? null,
    screenId: source?.screenId ?? undefined,
  };
}

/** Null is this player. At a content service, it is always the service itself. */
export function useReportSource() {
  const [serviceId, setServiceId] = useState("");
  const [labelId, setLabelId] = useState<string | null>(null);
  const [screenId, setScreenId] = useState<string | null>(null);
  const services =
    useQuestion("listScreenServices", {}, { intervalMs: servicesPollMs })
      .data ?? [];
  const service =
    (can("player")
      ? services.find(({ id }) => id === serviceId)
      : services[0]) ?? null;
  const labels =
    useQuestion(
      "listScreenLabels",
      { serviceId: service?.id ?? "none" },
      { isEnabled: service !== null },
    ).data ?? [];
  const label = labels.find(({ id }) => id === labelId) ?? null;
  const source: ReportSource | null = service && {
    ...{ serviceId: service.id, serviceName: sourceName(service) },
    ...{ labelId: label?.id ?? null, screenId },
  };
  return {
    ...{ source, services, labels, chooseScreen: setScreenId },
    chooseLabel: (id: string | null): void => {
      setLabelId(id);
      setScreenId(null);
    },
    choose: (id: string): void => {
      setServiceId(id);
      setLabelId(null);
      setScreenId(null);
    },
  };
}
