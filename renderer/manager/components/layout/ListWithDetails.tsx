// A list that scrolls under its head, and the details of the selection beside it; on a phone, they cover the list.

import { Box, Flex, Stack } from "@mantine/core";
import type { KeyboardEvent, ReactNode, Ref } from "react";
import "./list-with-details.css";

interface Props {
  /** Of the whole, where it is looked for. */
  readonly className: string;
  /** Before the list. */
  readonly side?: ReactNode;
  /** Above the list. */
  readonly head: ReactNode;
  /** The list, as high as there is space. */
  readonly children: ReactNode;
  /** Null while nothing is selected. */
  readonly details: ReactNode;
  readonly detailsLabel: string;
  /** Of the details. */
  readonly ref: Ref<HTMLDivElement>;
  /** Of the details, where there is space for both. */
  readonly detailsWidth: number;
  readonly onDetailsKey: (event: KeyboardEvent) => void;
}

export function ListWithDetails({ ref, ...props }: Props): ReactNode {
  const { className, details, detailsWidth } = props;
  const isOpen = details !== null;
  return (
    <Flex className={className} pos="relative" h="100%" miw={0}>
      {props.side}
      <Stack
        className="beside-details"
        gap={0}
        flex={1}
        miw={0}
        h="100%"
        data-open={isOpen}
      >
        {props.head}
        <Box flex={1} mih={0}>
          {props.children}
        </Box>
      </Stack>
      {isOpen ? (
        <Box
          component="aside"
          className={`details-aside scrolls ${className}-details`}
          flex="none"
          w={{ base: "auto", xs: 340, lg: detailsWidth }}
          ref={ref}
          aria-label={props.detailsLabel}
          onKeyDown={props.onDetailsKey}
        >
          {details}
        </Box>
      ) : null}
    </Flex>
  );
}
