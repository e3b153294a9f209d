#pragma once
#include <string>

namespace bristle {

// What each joint holds, leaves and rubs on, for `bristle info joint` and the reference pages.
extern const char *const kFreePage,
    *const kFixedPage, *const kRevolutePage, *const kPrismaticPage, *const kCylindricalPage,
                                                                        *const kScrewPage,
                                                                            *const kUniversalPage,
                                                                                *const kSphericalPage,
                                                                                    *const kPlanarPage,
                                                                                        *const kPointOnLinePage,
                                                                                            *const kPointInPlanePage,
                                                                                                *const kDistancePage,
                                                                                                    *const kConstantVelocityPage;

/// With the channels that all joints have.
std::string joint_page(const char* text);

}  // namespace bristle
