import { type ComponentProps, lazy, Suspense } from "react";
import { fetched } from "../../shared/fetched";
import { Loading } from "../../shared/later";

/** The editor is large and most visits only read: it comes when it is wanted. */
const Form = lazy(async () => ({ default: (await fetched(() => import("./unit-form"))).UnitForm }));

/** A new unit, or an edit of one. */
export function UnitForm(props: ComponentProps<typeof Form>) {
  return (
    <Suspense fallback={<Loading />}>
      <Form {...props} />
    </Suspense>
  );
}
