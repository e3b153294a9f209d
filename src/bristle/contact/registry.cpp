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
#include "bristle/contact/viscoelastic.h"
#include "bristle/contact/zhiying_qishao.h"

namespace bristle {

const ContactRegistry& contact_registry() {
  static const ContactRegistry registry = [] {
    ContactRegistry r("contact");
    add_law<Linear>(r, "linear", "a linear spring that only pushes");
    add_law<KelvinVoigt>(r, "kelvin_voigt", "a linear spring beside a linear damper");
    add_law<OneWayContact>(r, "one_way", "a hardening spring, with a damper while the surfaces approach");
    add_law<Hertz>(r, "hertz", "elastic contact of curved surfaces");
    add_law<Viscoelastic>(r, "viscoelastic", "powers of the depth for spring and damper");
    add_law<HuntCrossley>(r, "hunt_crossley", "curved surfaces with restitution, close to 1");
    add_law<HerbertMcWhannell>(r, "herbert_mcwhannell", "curved surfaces with restitution, above 0.6");
    add_law<LeeWang>(r, "lee_wang", "curved surfaces with restitution, half the damping of hunt_crossley");
    add_law<LankaraniNikravesh>(r, "lankarani_nikravesh", "curved surfaces with restitution, close to 1; usual for clearance");
    add_law<GonthierContact>(r, "gonthier", "curved surfaces with any restitution");
    add_law<ZhiyingQishao>(r, "zhiying_qishao", "curved surfaces with restitution, above 0.3");
    add_law<Flores>(r, "flores", "curved surfaces with any restitution, soft materials");
    add_law<Johnson>(r, "johnson", "cylinders along a line, after Johnson");
    add_law<Radzimovsky>(r, "radzimovsky", "cylinders along a line, after Radzimovsky");
    add_law<Esdu78035>(r, "esdu_78035", "cylinders along a line, after the data sheet ESDU 78035");
    add_law<DubowskyFreudenstein>(r, "dubowsky_freudenstein", "a pin in its bore, with the length of the bearing");
    add_law<Persson>(r, "persson", "a pin in its bore, at any load: the elastic solution");
    add_law<Liu>(r, "liu", "a pin in a bore of nearly its own size, fitted to finite elements");
    add_law<ContactTable>(r, "table", "a measured curve of force over depth");
    add_law<Rigid>(r, "rigid", "no depth: unilateral contact with restitution");
    return r;
  }();
  return registry;
}

}  // namespace bristle
