// Keeping what an auth-provider renewed: the user's stanza is written back into the file it came from.

import type { AuthConfigPersister } from '../rest/index.js'
import type { ConfigAccess } from './config-access.js'
import { modifyConfig } from './modify-config.js'

/**
 * Writes renewed settings into the `auth-provider` of a user of the kubeconfig: client-go's PersisterForUser.
 *
 * Its `persist` rejects when the user is gone, or the file cannot be written or is locked; the tokens are then used all
 * the same, and the logger is told.
 */
export function persisterForUser(access: ConfigAccess, userName: string): AuthConfigPersister {
  return {
    async persist(config) {
      const changed = await access.getStartingConfig()
      const user = changed.users.get(userName)
      const provider = user?.['auth-provider']
      if (!user || !provider) {
        throw new Error(`cannot keep renewed credentials: the kubeconfig has no auth-provider of a user "${userName}"`)
      }
      changed.users.set(userName, { ...user, 'auth-provider': { ...provider, config: { ...config } } })
      await modifyConfig(access, changed)
    },
  }
}
