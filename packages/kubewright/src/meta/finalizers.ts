// Finalizers: names in an object's metadata, while which are there a deleted object stays.

// With names, so that an object which has a name and no finalizers yet is one.
interface Finalizable {
  metadata?: { name?: string; generateName?: string; finalizers?: string[] }
}

/** Adds the finalizer, where it is not there yet, and says whether it did. */
export function addFinalizer(object: Finalizable, finalizer: string): boolean {
  if (containsFinalizer(object, finalizer)) return false
  object.metadata ??= {}
  object.metadata.finalizers ??= []
  object.metadata.finalizers.push(finalizer)
  return true
}

/** Removes the finalizer, and says whether it was there. */
export function removeFinalizer(object: Finalizable, finalizer: string): boolean {
  const finalizers = object.metadata?.finalizers
  if (finalizers === undefined || !finalizers.includes(finalizer)) return false
  finalizers.splice(0, finalizers.length, ...finalizers.filter((other) => other !== finalizer))
  return true
}

/** Whether the object has the finalizer. */
export function containsFinalizer(
  object: {
    readonly metadata?: {
      readonly name?: string
      readonly generateName?: string
      readonly finalizers?: readonly string[]
    }
  },
  finalizer: string,
): boolean {
  return object.metadata?.finalizers?.includes(finalizer) ?? false
}
