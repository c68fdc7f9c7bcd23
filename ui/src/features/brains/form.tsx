import { type ComponentProps, lazy, Suspense } from "react";
import { Loading } from "../../shared/later";

/** The editor is large and most visits only read: it comes when it is wanted. */
const Form = lazy(() => import("./unit-form").then(({ UnitForm }) => ({ default: UnitForm })));

/** A new unit, or an edit of one. */
export function UnitForm(props: ComponentProps<typeof Form>) {
  return (
    <Suspense fallback={<Loading />}>
      <Form {...props} />
    </Suspense>
  );
}
