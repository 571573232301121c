package org.netbeans.spi.wizard;

/** Stands in for a class that the engine's jar refers to but does not carry; no wizard is ever shown here. */
public class WizardBranchController { }
