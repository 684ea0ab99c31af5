/**
 * Hosts of Go modules that anyone can read: forges, and the addresses of well-known projects. A module on any other host may be a
 * company's, and its name isn't sent. Hosts on which private modules are common, such as buf.build, aren't here.
 */
const PUBLIC_GO_HOSTS: ReadonlySet<string> = new Set(
  `github.com gitlab.com bitbucket.org codeberg.org gitea.com git.sr.ht gitee.com salsa.debian.org gitlab.freedesktop.org launchpad.net
  golang.org google.golang.org go.googlesource.com cloud.google.com go.chromium.org go.skia.org gvisor.dev gocloud.dev cel.dev
  gopkg.in go.yaml.in k8s.io sigs.k8s.io kubevirt.io helm.sh istio.io knative.dev oras.land tags.cncf.io vitess.io open-cluster-management.io
  go.uber.org go.temporal.io go.opentelemetry.io go.opencensus.io contrib.go.opencensus.io go.etcd.io go.mongodb.org go.elastic.co
  go.mozilla.org go.starlark.net go.step.sm go.bug.st go.dedis.ch go.lsp.dev go.mau.fi go.abhg.dev go.pinniped.dev go.einride.tech
  gonum.org gorgonia.org gorm.io gotest.tools gocv.io gioui.org fyne.io goa.design go4.org perkeep.org
  honnef.co rsc.io mvdan.cc modernc.org filippo.io lukechampine.com nhooyr.io dario.cat pgregory.net zombiezen.com zgo.at
  golang.zx2c4.com tailscale.com inet.af storj.io upspin.io periph.io tinygo.org xorm.io entgo.io ariga.io cuelang.org dagger.io
  emperror.dev atomicgo.dev moul.io layeh.com howett.net 4d63.com bou.ke maunium.net mellium.im cosmossdk.io code.gitea.io code.cloudfoundry.org
  sigsum.org c2sp.org src.elv.sh software.sslmate.com capnproto.org cyphar.com toolman.org git.apache.org dmitri.shuralyov.com`.split(
    /\s+/,
  ),
);

const GO_ITSELF: ReadonlySet<string> = new Set(["go", "toolchain", "stdlib"]);

export function isPublicGoModule(name: string): boolean {
  const host = name.split("/", 1)[0] ?? "";
  // Without a host it is Go itself, or a module that only its own project knows.
  return GO_ITSELF.has(name) || PUBLIC_GO_HOSTS.has(host.toLowerCase());
}
