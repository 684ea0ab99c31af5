/** Every built-in rule: one import and one line each. A test compares this list with the folder's files. */
import type { FloorRule } from "./rule.ts";
import { assignmentInCondition } from "./checks/assignment-in-condition.ts";
import { bareExcept } from "./checks/bare-except.ts";
import { brokenLink } from "./checks/broken-link.ts";
import { cBitPrecedence } from "./checks/c-bit-precedence.ts";
import { cBuiltCommand } from "./checks/c-built-command.ts";
import { cFormatString } from "./checks/c-format-string.ts";
import { cGetcharChar } from "./checks/c-getchar-char.ts";
import { cLeakOnReturn } from "./checks/c-leak-on-return.ts";
import { cMemoryArguments } from "./checks/c-memory-arguments.ts";
import { cPathFromRequest } from "./checks/c-path-from-request.ts";
import { cPredictableTempFile } from "./checks/c-predictable-temp-file.ts";
import { cReallocSelf } from "./checks/c-realloc-self.ts";
import { cReturnsLocal } from "./checks/c-returns-local.ts";
import { cSizeofPointer } from "./checks/c-sizeof-pointer.ts";
import { cStringCompared } from "./checks/c-string-compared.ts";
import { cUnboundedCopy } from "./checks/c-unbounded-copy.ts";
import { cUncheckedAllocation } from "./checks/c-unchecked-allocation.ts";
import { cUninitialized } from "./checks/c-uninitialized.ts";
import { cUseAfterFree } from "./checks/c-use-after-free.ts";
import { callNotAdapted } from "./checks/call-not-adapted.ts";
import { changedWhileIterating } from "./checks/changed-while-iterating.ts";
import { collectionChangedInLoop } from "./checks/collection-changed-in-loop.ts";
import { committedArtefact } from "./checks/committed-artefact.ts";
import { comparisonWithoutEffect } from "./checks/comparison-without-effect.ts";
import { conflictMarker } from "./checks/conflict-marker.ts";
import { contradictoryCondition } from "./checks/contradictory-condition.ts";
import { copiedField } from "./checks/copied-field.ts";
import { corsWildcardCredentials } from "./checks/cors-wildcard-credentials.ts";
import { counterDirection } from "./checks/counter-direction.ts";
import { cppDanglingTemporary } from "./checks/cpp-dangling-temporary.ts";
import { cppDeleteMismatch } from "./checks/cpp-delete-mismatch.ts";
import { cppExceptionByValue } from "./checks/cpp-exception-by-value.ts";
import { cppMissingVirtualDestructor } from "./checks/cpp-missing-virtual-destructor.ts";
import { cppUncheckedFind } from "./checks/cpp-unchecked-find.ts";
import { cppUseAfterMove } from "./checks/cpp-use-after-move.ts";
import { csharpAsyncLambdaLost } from "./checks/csharp-async-lambda-lost.ts";
import { csharpAsyncVoid } from "./checks/csharp-async-void.ts";
import { csharpBlockingWait } from "./checks/csharp-blocking-wait.ts";
import { csharpClientPerCall } from "./checks/csharp-client-per-call.ts";
import { csharpEqualsWithoutHash } from "./checks/csharp-equals-without-hash.ts";
import { csharpLockTarget } from "./checks/csharp-lock-target.ts";
import { csharpLoopCapture } from "./checks/csharp-loop-capture.ts";
import { csharpPropertyRecursion } from "./checks/csharp-property-recursion.ts";
import { csharpSleepInAsync } from "./checks/csharp-sleep-in-async.ts";
import { csharpThrowEx } from "./checks/csharp-throw-ex.ts";
import { csharpUnawaitedTask } from "./checks/csharp-unawaited-task.ts";
import { csharpUndisposed } from "./checks/csharp-undisposed.ts";
import { csrfProtectionOff } from "./checks/csrf-protection-off.ts";
import { datePattern } from "./checks/date-pattern.ts";
import { dependencyAdvisory } from "./checks/dependency-advisory.ts";
import { dependencyCallSite } from "./checks/dependency-call-site.ts";
import { dependencySupplyChain } from "./checks/dependency-supply-chain.ts";
import { dependencyTampering } from "./checks/dependency-tampering.ts";
import { destructiveMigration } from "./checks/destructive-migration.ts";
import { diffHidingAttributes } from "./checks/diff-hiding-attributes.ts";
import { disabledTlsInShell } from "./checks/disabled-tls-in-shell.ts";
import { disabledTlsVerification } from "./checks/disabled-tls-verification.ts";
import { docParameterMismatch } from "./checks/doc-parameter-mismatch.ts";
import { dockerfileLatestBase } from "./checks/dockerfile-latest-base.ts";
import { dockerfileRemoteAdd } from "./checks/dockerfile-remote-add.ts";
import { dockerfileSecret } from "./checks/dockerfile-secret.ts";
import { duplicateKey } from "./checks/duplicate-key.ts";
import { duplicateTestName } from "./checks/duplicate-test-name.ts";
import { emptyCatch } from "./checks/empty-catch.ts";
import { evalOfInput } from "./checks/eval-of-input.ts";
import { exceptionNotThrown } from "./checks/exception-not-thrown.ts";
import { floatingPromise } from "./checks/floating-promise.ts";
import { focusedTest } from "./checks/focused-test.ts";
import { formatArguments } from "./checks/format-arguments.ts";
import { goBareDuration } from "./checks/go-bare-duration.ts";
import { goBodyNotClosed } from "./checks/go-body-not-closed.ts";
import { goBusySelect } from "./checks/go-busy-select.ts";
import { goDecodeIntoValue } from "./checks/go-decode-into-value.ts";
import { goDeferInLoop } from "./checks/go-defer-in-loop.ts";
import { goDiscardedCancel } from "./checks/go-discarded-cancel.ts";
import { goErrorResponseContinues } from "./checks/go-error-response-continues.ts";
import { goInvertedError } from "./checks/go-inverted-error.ts";
import { goLockCopied } from "./checks/go-lock-copied.ts";
import { goLostError } from "./checks/go-lost-error.ts";
import { goNilMapWrite } from "./checks/go-nil-map-write.ts";
import { goResponseBeforeError } from "./checks/go-response-before-error.ts";
import { goTrimCutset } from "./checks/go-trim-cutset.ts";
import { goUsedBeforeError } from "./checks/go-used-before-error.ts";
import { goWaitgroupAdd } from "./checks/go-waitgroup-add.ts";
import { hiddenCharacters } from "./checks/hidden-characters.ts";
import { htmlFromInput } from "./checks/html-from-input.ts";
import { identicalBranches } from "./checks/identical-branches.ts";
import { identicalOperands } from "./checks/identical-operands.ts";
import { infiniteRecursion } from "./checks/infinite-recursion.ts";
import { insecureCookie } from "./checks/insecure-cookie.ts";
import { integerDivision } from "./checks/integer-division.ts";
import { invertedNullGuard } from "./checks/inverted-null-guard.ts";
import { javaEqualsHashcode } from "./checks/java-equals-hashcode.ts";
import { javaMisusedCall } from "./checks/java-misused-call.ts";
import { javaNullUnboxing } from "./checks/java-null-unboxing.ts";
import { javaObjectIdentity } from "./checks/java-object-identity.ts";
import { javaStringIdentity } from "./checks/java-string-identity.ts";
import { javaSwallowedInterrupt } from "./checks/java-swallowed-interrupt.ts";
import { javaUnclosedResource } from "./checks/java-unclosed-resource.ts";
import { javaUnsafeSharing } from "./checks/java-unsafe-sharing.ts";
import { jsArrayCallbackAsync } from "./checks/js-array-callback-async.ts";
import { jsMapParseInt } from "./checks/js-map-parse-int.ts";
import { jsNumberSort } from "./checks/js-number-sort.ts";
import { jsPromiseNeverSettles } from "./checks/js-promise-never-settles.ts";
import { jsTimerCall } from "./checks/js-timer-call.ts";
import { jwtVerificationOff } from "./checks/jwt-verification-off.ts";
import { k8sPrivilegedContainer } from "./checks/k8s-privileged-container.ts";
import { kodiaiConfigChanged } from "./checks/kodiai-config-changed.ts";
import { leftoverDebugger } from "./checks/leftover-debugger.ts";
import { lengthNeverNegative } from "./checks/length-never-negative.ts";
import { localeWrongLanguage } from "./checks/locale-wrong-language.ts";
import { lockNotReleased } from "./checks/lock-not-released.ts";
import { madeExecutable } from "./checks/made-executable.ts";
import { manifestWithoutLock } from "./checks/manifest-without-lock.ts";
import { misspelling } from "./checks/misspelling.ts";
import { misspeltName } from "./checks/misspelt-name.ts";
import { mutableDefaultArgument } from "./checks/mutable-default-argument.ts";
import { nullableLookup } from "./checks/nullable-lookup.ts";
import { offByOneBound } from "./checks/off-by-one-bound.ts";
import { pathFromInput } from "./checks/path-from-input.ts";
import { phpDebugOutput } from "./checks/php-debug-output.ts";
import { phpExtractRequest } from "./checks/php-extract-request.ts";
import { phpLooseHash } from "./checks/php-loose-hash.ts";
import { phpMissingReturn } from "./checks/php-missing-return.ts";
import { phpRedirectWithoutExit } from "./checks/php-redirect-without-exit.ts";
import { phpReferenceLeft } from "./checks/php-reference-left.ts";
import { phpRemovedFunction } from "./checks/php-removed-function.ts";
import { phpStrposTruth } from "./checks/php-strpos-truth.ts";
import { phpSwappedArguments } from "./checks/php-swapped-arguments.ts";
import { phpThisInStatic } from "./checks/php-this-in-static.ts";
import { phpUndefinedVariable } from "./checks/php-undefined-variable.ts";
import { phpUnimportedException } from "./checks/php-unimported-exception.ts";
import { productOverflow } from "./checks/product-overflow.ts";
import { promiseInCondition } from "./checks/promise-in-condition.ts";
import { pythonIsLiteral } from "./checks/python-is-literal.ts";
import { pythonUnawaitedCoroutine } from "./checks/python-unawaited-coroutine.ts";
import { reactEffectLeak } from "./checks/react-effect-leak.ts";
import { readModifyWrite } from "./checks/read-modify-write.ts";
import { redirectFromInput } from "./checks/redirect-from-input.ts";
import { removedCheck } from "./checks/removed-check.ts";
import { removedExportUsed } from "./checks/removed-export-used.ts";
import { removedNullCheck } from "./checks/removed-null-check.ts";
import { removedTest } from "./checks/removed-test.ts";
import { repeatedCondition } from "./checks/repeated-condition.ts";
import { requestFromInput } from "./checks/request-from-input.ts";
import { returnInFinally } from "./checks/return-in-finally.ts";
import { reversedOperator } from "./checks/reversed-operator.ts";
import { reviewerInjection } from "./checks/reviewer-injection.ts";
import { riskyWorkflowTrigger } from "./checks/risky-workflow-trigger.ts";
import { rubyBangResult } from "./checks/ruby-bang-result.ts";
import { rubyDuplicateMethod } from "./checks/ruby-duplicate-method.ts";
import { rubyIneffectivePrivate } from "./checks/ruby-ineffective-private.ts";
import { rubyPermitAll } from "./checks/ruby-permit-all.ts";
import { rubyRescueException } from "./checks/ruby-rescue-exception.ts";
import { rubySafeNavigationChain } from "./checks/ruby-safe-navigation-chain.ts";
import { rubySharedDefault } from "./checks/ruby-shared-default.ts";
import { rubyUnclosedFile } from "./checks/ruby-unclosed-file.ts";
import { rustBlockingAsync } from "./checks/rust-blocking-async.ts";
import { rustDiscardedGuard } from "./checks/rust-discarded-guard.ts";
import { rustDoubleBorrow } from "./checks/rust-double-borrow.ts";
import { rustGuardAcrossAwait } from "./checks/rust-guard-across-await.ts";
import { rustIgnoredResult } from "./checks/rust-ignored-result.ts";
import { rustLeftoverTodo } from "./checks/rust-leftover-todo.ts";
import { rustLengthTruncated } from "./checks/rust-length-truncated.ts";
import { rustMemUninitialized } from "./checks/rust-mem-uninitialized.ts";
import { rustStaticMut } from "./checks/rust-static-mut.ts";
import { rustUncheckedText } from "./checks/rust-unchecked-text.ts";
import { rustUnwrapInput } from "./checks/rust-unwrap-input.ts";
import { secretInCode } from "./checks/secret-in-code.ts";
import { secretInDescription } from "./checks/secret-in-description.ts";
import { selfAssignment } from "./checks/self-assignment.ts";
import { shadowedHandler } from "./checks/shadowed-handler.ts";
import { shellArgumentCount } from "./checks/shell-argument-count.ts";
import { shellArrayBound } from "./checks/shell-array-bound.ts";
import { shellCurlPipe } from "./checks/shell-curl-pipe.ts";
import { shellEndlessLoop } from "./checks/shell-endless-loop.ts";
import { shellErrexitCounter } from "./checks/shell-errexit-counter.ts";
import { shellEvalInput } from "./checks/shell-eval-input.ts";
import { shellFindDelete } from "./checks/shell-find-delete.ts";
import { shellFromStrings } from "./checks/shell-from-strings.ts";
import { shellHeredocQuoting } from "./checks/shell-heredoc-quoting.ts";
import { shellInvertedCheck } from "./checks/shell-inverted-check.ts";
import { shellLockRace } from "./checks/shell-lock-race.ts";
import { shellLostStatus } from "./checks/shell-lost-status.ts";
import { shellOctalNumber } from "./checks/shell-octal-number.ts";
import { shellOptionParsing } from "./checks/shell-option-parsing.ts";
import { shellOverwritesFile } from "./checks/shell-overwrites-file.ts";
import { shellPipeHidesFailure } from "./checks/shell-pipe-hides-failure.ts";
import { shellPredictableTemp } from "./checks/shell-predictable-temp.ts";
import { shellRmUnguarded } from "./checks/shell-rm-unguarded.ts";
import { shellSecretShown } from "./checks/shell-secret-shown.ts";
import { shellSharedVariable } from "./checks/shell-shared-variable.ts";
import { shellSubshellExit } from "./checks/shell-subshell-exit.ts";
import { shellTrapReplaced } from "./checks/shell-trap-replaced.ts";
import { shellUnsetCheck } from "./checks/shell-unset-check.ts";
import { shellVersionOrder } from "./checks/shell-version-order.ts";
import { skippedTest } from "./checks/skipped-test.ts";
import { sourceWithoutTest } from "./checks/source-without-test.ts";
import { sqlFromStrings } from "./checks/sql-from-strings.ts";
import { sqlWithoutWhere } from "./checks/sql-without-where.ts";
import { straySemicolon } from "./checks/stray-semicolon.ts";
import { stringComparedSecret } from "./checks/string-compared-secret.ts";
import { switchFallthrough } from "./checks/switch-fallthrough.ts";
import { terraformOpenIngress } from "./checks/terraform-open-ingress.ts";
import { uncheckedGoError } from "./checks/unchecked-go-error.ts";
import { unpinnedAction } from "./checks/unpinned-action.ts";
import { unreachableCode } from "./checks/unreachable-code.ts";
import { unsafeDeserialisation } from "./checks/unsafe-deserialisation.ts";
import { unusedImport } from "./checks/unused-import.ts";
import { unusedPrivate } from "./checks/unused-private.ts";
import { unusedResult } from "./checks/unused-result.ts";
import { unusedVariable } from "./checks/unused-variable.ts";
import { weakCipher } from "./checks/weak-cipher.ts";
import { weakPasswordHash } from "./checks/weak-password-hash.ts";
import { weakRandomSecret } from "./checks/weak-random-secret.ts";
import { weakenedTest } from "./checks/weakened-test.ts";
import { workflowBroadPermissions } from "./checks/workflow-broad-permissions.ts";
import { workflowScriptInjection } from "./checks/workflow-script-injection.ts";
import { workflowSecretEcho } from "./checks/workflow-secret-echo.ts";
import { worldWritablePermission } from "./checks/world-writable-permission.ts";
import { xmlExternalEntities } from "./checks/xml-external-entities.ts";

export const ALL_RULES: readonly FloorRule[] = [
  assignmentInCondition,
  bareExcept,
  brokenLink,
  cBitPrecedence,
  cBuiltCommand,
  cFormatString,
  cGetcharChar,
  cLeakOnReturn,
  cMemoryArguments,
  cPathFromRequest,
  cPredictableTempFile,
  cReallocSelf,
  cReturnsLocal,
  cSizeofPointer,
  cStringCompared,
  cUnboundedCopy,
  cUncheckedAllocation,
  cUninitialized,
  cUseAfterFree,
  callNotAdapted,
  changedWhileIterating,
  collectionChangedInLoop,
  committedArtefact,
  comparisonWithoutEffect,
  conflictMarker,
  contradictoryCondition,
  copiedField,
  corsWildcardCredentials,
  counterDirection,
  cppDanglingTemporary,
  cppDeleteMismatch,
  cppExceptionByValue,
  cppMissingVirtualDestructor,
  cppUncheckedFind,
  cppUseAfterMove,
  csharpAsyncLambdaLost,
  csharpAsyncVoid,
  csharpBlockingWait,
  csharpClientPerCall,
  csharpEqualsWithoutHash,
  csharpLockTarget,
  csharpLoopCapture,
  csharpPropertyRecursion,
  csharpSleepInAsync,
  csharpThrowEx,
  csharpUnawaitedTask,
  csharpUndisposed,
  csrfProtectionOff,
  datePattern,
  dependencyAdvisory,
  dependencyCallSite,
  dependencySupplyChain,
  dependencyTampering,
  destructiveMigration,
  diffHidingAttributes,
  disabledTlsInShell,
  disabledTlsVerification,
  docParameterMismatch,
  dockerfileLatestBase,
  dockerfileRemoteAdd,
  dockerfileSecret,
  duplicateKey,
  duplicateTestName,
  emptyCatch,
  evalOfInput,
  exceptionNotThrown,
  floatingPromise,
  focusedTest,
  formatArguments,
  goBareDuration,
  goBodyNotClosed,
  goBusySelect,
  goDecodeIntoValue,
  goDeferInLoop,
  goDiscardedCancel,
  goErrorResponseContinues,
  goInvertedError,
  goLockCopied,
  goLostError,
  goNilMapWrite,
  goResponseBeforeError,
  goTrimCutset,
  goUsedBeforeError,
  goWaitgroupAdd,
  hiddenCharacters,
  htmlFromInput,
  identicalBranches,
  identicalOperands,
  infiniteRecursion,
  insecureCookie,
  integerDivision,
  invertedNullGuard,
  javaEqualsHashcode,
  javaMisusedCall,
  javaNullUnboxing,
  javaObjectIdentity,
  javaStringIdentity,
  javaSwallowedInterrupt,
  javaUnclosedResource,
  javaUnsafeSharing,
  jsArrayCallbackAsync,
  jsMapParseInt,
  jsNumberSort,
  jsPromiseNeverSettles,
  jsTimerCall,
  jwtVerificationOff,
  k8sPrivilegedContainer,
  kodiaiConfigChanged,
  leftoverDebugger,
  lengthNeverNegative,
  localeWrongLanguage,
  lockNotReleased,
  madeExecutable,
  manifestWithoutLock,
  misspelling,
  misspeltName,
  mutableDefaultArgument,
  nullableLookup,
  offByOneBound,
  pathFromInput,
  phpDebugOutput,
  phpExtractRequest,
  phpLooseHash,
  phpMissingReturn,
  phpRedirectWithoutExit,
  phpReferenceLeft,
  phpRemovedFunction,
  phpStrposTruth,
  phpSwappedArguments,
  phpThisInStatic,
  phpUndefinedVariable,
  phpUnimportedException,
  productOverflow,
  promiseInCondition,
  pythonIsLiteral,
  pythonUnawaitedCoroutine,
  reactEffectLeak,
  readModifyWrite,
  redirectFromInput,
  removedCheck,
  removedExportUsed,
  removedNullCheck,
  removedTest,
  repeatedCondition,
  requestFromInput,
  returnInFinally,
  reversedOperator,
  reviewerInjection,
  riskyWorkflowTrigger,
  rubyBangResult,
  rubyDuplicateMethod,
  rubyIneffectivePrivate,
  rubyPermitAll,
  rubyRescueException,
  rubySafeNavigationChain,
  rubySharedDefault,
  rubyUnclosedFile,
  rustBlockingAsync,
  rustDiscardedGuard,
  rustDoubleBorrow,
  rustGuardAcrossAwait,
  rustIgnoredResult,
  rustLeftoverTodo,
  rustLengthTruncated,
  rustMemUninitialized,
  rustStaticMut,
  rustUncheckedText,
  rustUnwrapInput,
  secretInCode,
  secretInDescription,
  selfAssignment,
  shadowedHandler,
  shellArgumentCount,
  shellArrayBound,
  shellCurlPipe,
  shellEndlessLoop,
  shellErrexitCounter,
  shellEvalInput,
  shellFindDelete,
  shellFromStrings,
  shellHeredocQuoting,
  shellInvertedCheck,
  shellLockRace,
  shellLostStatus,
  shellOctalNumber,
  shellOptionParsing,
  shellOverwritesFile,
  shellPipeHidesFailure,
  shellPredictableTemp,
  shellRmUnguarded,
  shellSecretShown,
  shellSharedVariable,
  shellSubshellExit,
  shellTrapReplaced,
  shellUnsetCheck,
  shellVersionOrder,
  skippedTest,
  sourceWithoutTest,
  sqlFromStrings,
  sqlWithoutWhere,
  straySemicolon,
  stringComparedSecret,
  switchFallthrough,
  terraformOpenIngress,
  uncheckedGoError,
  unpinnedAction,
  unreachableCode,
  unsafeDeserialisation,
  unusedImport,
  unusedPrivate,
  unusedResult,
  unusedVariable,
  weakCipher,
  weakPasswordHash,
  weakRandomSecret,
  weakenedTest,
  workflowBroadPermissions,
  workflowScriptInjection,
  workflowSecretEcho,
  worldWritablePermission,
  xmlExternalEntities,
];
