#include "bristle/contact/registry.h"

#include "bristle/contact/dubowsky_freudenstein.h"
#include "bristle/contact/esdu_78035.h"
#include "bristle/contact/flores.h"
#include "bristle/contact/gonthier.h"
#include "bristle/contact/herbert_mcwhannell.h"
#include "bristle/contact/hertz.h"
#include "bristle/contact/hunt_crossley.h"
#include "bristle/contact/johnson.h"
#include "bristle/contact/kelvin_voigt.h"
#include "bristle/contact/lankarani_nikravesh.h"
#include "bristle/contact/lee_wang.h"
#include "bristle/contact/linear.h"
#include "bristle/contact/liu.h"
#include "bristle/contact/one_way.h"
#include "bristle/contact/persson.h"
#include "bristle/contact/radzimovsky.h"
#include "bristle/contact/register.h"
#include "bristle/contact/rigid.h"
#include "bristle/contact/table.h"
#include "bristle/contact/thornton.h"
#include "bristle/contact/viscoelastic.h"
#include "bristle/contact/walton_braun.h"
#include "bristle/contact/zhiying_qishao.h"

namespace bristle {

namespace {
// keys of examples
constexpr const char* kDamped = ", stiffness: 1e8 N/m, damping: 1e3 N s/m";
constexpr const char* kCurved = ", stiffness: 66e9 N/m^1.5";
constexpr const char* kThrowsBack = ", stiffness: 66e9 N/m^1.5, restitution: 0.8";
constexpr const char* kSteel = ", young: 210e9 Pa";
}  // namespace

const ContactRegistry& contact_registry() {
  static const ContactRegistry registry = [] {
    ContactRegistry r("contact");
    add_law<Linear>(r, "linear", "a linear spring that only pushes", ", stiffness: 1e8 N/m");
    add_law<KelvinVoigt>(r, "kelvin_voigt", "a linear spring beside a linear damper", kDamped);
    add_law<OneWayContact>(r, "one_way", "a hardening spring, with a damper while the surfaces approach", kDamped);
    add_law<Hertz>(r, "hertz", "elastic contact of curved surfaces", kCurved);
    add_law<Viscoelastic>(r, "viscoelastic", "powers of the depth for spring and damper",
                          ", stiffness: 66e9 N/m^1.5, damping: 10e9 N s/m^2.5");
    add_law<HuntCrossley>(r, "hunt_crossley", "curved surfaces with restitution, close to 1", kThrowsBack);
    add_law<HerbertMcWhannell>(r, "herbert_mcwhannell", "curved surfaces with restitution, above 0.6", kThrowsBack);
    add_law<LeeWang>(r, "lee_wang", "curved surfaces with restitution, half the damping of hunt_crossley", kThrowsBack);
    add_law<LankaraniNikravesh>(r, "lankarani_nikravesh", "curved surfaces with restitution, close to 1; usual for clearance",
                                kThrowsBack);
    add_law<GonthierContact>(r, "gonthier", "curved surfaces with any restitution", kThrowsBack);
    add_law<ZhiyingQishao>(r, "zhiying_qishao", "curved surfaces with restitution, above 0.3", kThrowsBack);
    add_law<Flores>(r, "flores", "curved surfaces with any restitution, soft materials", kThrowsBack);
    add_law<Thornton>(r, "thornton", "curved surfaces that yield under hard impacts and keep a dent",
                      ", young: 210e9 Pa, yield_pressure: 1.5e9 Pa");
    add_law<WaltonBraun>(r, "walton_braun", "a spring that is stiffer on the way back, and leaves a dent",
                         ", stiffness: 1e8 N/m, restitution: 0.8");
    add_law<Johnson>(r, "johnson", "cylinders along a line, after Johnson", kSteel);
    add_law<Radzimovsky>(r, "radzimovsky", "cylinders along a line, after Radzimovsky", kSteel);
    add_law<Esdu78035>(r, "esdu_78035", "cylinders along a line, after the data sheet ESDU 78035", kSteel);
    add_law<DubowskyFreudenstein>(r, "dubowsky_freudenstein", "a pin in its bore, with the length of the bearing", kSteel);
    add_law<Persson>(r, "persson", "a pin in its bore, at any load: the elastic solution", kSteel);
    add_law<Liu>(r, "liu", "a pin in a bore of nearly its own size, fitted to finite elements", kSteel);
    add_law<ContactTable>(r, "table", "a measured curve of force over depth", ", depth: [10 um, 20 um], force: [1 kN, 3 kN]");
    add_law<Rigid>(r, "rigid", "no depth: unilateral contact with restitution", ", restitution: 0.8");
    return r;
  }();
  return registry;
}

}  // namespace bristle
